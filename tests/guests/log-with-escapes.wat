;; stage: guard
;; expect: panicked
;; says: before-spawn panicked
;; says: it wrote: one\u{1b}[2Jtwo\r\nthree \u{202e}\u{0}end
;;
;; Writes to its log what would clear a terminal, forge a second line and turn what follows around.
(component
  (import "spawnhook:hook/types@0.1.0" (instance $types
    (type $context (record
      (field "command" string) (field "cwd" string) (field "env" (list (tuple string string)))))
    (export "spawn-context" (type (eq $context)))
    (type $refusal (variant (case "deny" string) (case "ask" string)))
    (export "refusal" (type (eq $refusal)))))
  (alias export $types "spawn-context" (type $spawn-context))
  (alias export $types "refusal" (type $refusal))
  (import "spawnhook:hook/log@0.1.0" (instance $log
    (type $level (enum "debug" "info" "warn" "error"))
    (export "level" (type $named (eq $level)))
    (export "write" (func (param "level" $named) (param "message" string)))))
  (core module $memory (memory (export "memory") 1))
  (core instance $memory (instantiate $memory))
  (core func $write (canon lower (func $log "write") (memory (core memory $memory "memory"))))
  (core module $m
    (import "log" "write" (func $write (param i32 i32 i32)))
    (import "memory" "memory" (memory 1))
    (export "memory" (memory 0))
    
    (data (i32.const 64) "one\1b[2Jtwo\0d\0athree \e2\80\ae\00end")
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
      (call $write (i32.const 3) (i32.const 64) (i32.const 25))
      (unreachable)
      (i32.const 0))
  )
  (core instance $i (instantiate $m
    (with "memory" (instance $memory))
    (with "log" (instance (export "write" (func $write))))))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
