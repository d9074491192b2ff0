;; stage: rewrite
;; expect: ok
;; says: changed
;; rights: command
;;
;; Returns a command that a terminal would show as another one. That is a command all the same.
(component
  (import "spawnhook:hook/types@0.1.0" (instance $types
    (type $context (record
      (field "command" string) (field "cwd" string) (field "env" (list (tuple string string)))))
    (export "spawn-context" (type (eq $context)))
    (type $refusal (variant (case "deny" string) (case "ask" string)))
    (export "refusal" (type (eq $refusal)))))
  (alias export $types "spawn-context" (type $spawn-context))
  (alias export $types "refusal" (type $refusal))
  (core module $m
    (memory (export "memory") 1)
    (data (i32.const 64) ": rm\0d\1b[2Kecho \e2\80\ae\0a: hello")
    ;; Takes memory from the first page and never gives it back.
    (global $free (mut i32) (i32.const 4096))
    (func (export "realloc") (param i32 i32 i32) (param $size i32) (result i32)
      (global.get $free)
      (global.set $free (i32.and
        (i32.add (i32.add (global.get $free) (local.get $size)) (i32.const 7))
        (i32.const -8))))
    (func (export "before-spawn") (param $command i32) (param $command-length i32)
      (param $cwd i32) (param $cwd-length i32) (param $env i32) (param $env-length i32)
      (result i32)
      ;; ok(another context)
      (i32.store8 (i32.const 0) (i32.const 0))
      (i32.store (i32.const 4) (i32.const 64))
      (i32.store (i32.const 8) (i32.const 25))
      (i32.store (i32.const 12) (local.get $cwd))
      (i32.store (i32.const 16) (local.get $cwd-length))
      (i32.store (i32.const 20) (local.get $env))
      (i32.store (i32.const 24) (local.get $env-length))
      (i32.const 0))
  )
  (core instance $i (instantiate $m))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
