;; stage: rewrite
;; expect: cpu-limit
;; says: 50 ms of CPU time
;;
;; Fills 60 MiB with one instruction, which nothing interrupts, and then again.
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
    (memory (export "memory") 1000)
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
      (loop $again
        (memory.fill (i32.const 65536) (i32.const 46) (i32.const 62914560))
        (br $again))
      (i32.const 0))
  )
  (core instance $i (instantiate $m))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
