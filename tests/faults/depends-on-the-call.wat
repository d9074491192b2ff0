;; Denies commands of every second call: those whose id begins with 8 to f.
(component
  (import "spawnhook:hook/types@0.1.0" (instance $types
    (type $context (record
      (field "command" string) (field "cwd" string) (field "env" (list (tuple string string)))))
    (export "spawn-context" (type (eq $context)))
    (type $refusal (variant (case "deny" string) (case "ask" string)))
    (export "refusal" (type (eq $refusal)))))
  (alias export $types "spawn-context" (type $spawn-context))
  (alias export $types "refusal" (type $refusal))
  (import "spawnhook:hook/call@0.1.0" (instance $call
    (export "id" (func (result string)))))
  (core module $memory
    (memory (export "memory") 64)
    ;; Takes memory from the front and never gives it back.
    (global $free (mut i32) (i32.const 4096))
    (func (export "realloc") (param i32 i32 i32) (param $size i32) (result i32)
      (global.get $free)
      (global.set $free (i32.and
        (i32.add (i32.add (global.get $free) (local.get $size)) (i32.const 7))
        (i32.const -8))))
  )
  (core module $m
    (import "memory" "memory" (memory 64))
    (import "call" "id" (func $id (param i32)))
    (func (export "before-spawn") (param $command i32) (param $command-length i32)
      (param $cwd i32) (param $cwd-length i32) (param $env i32) (param $env-length i32)
      (result i32)
      ;; The first byte of the id is among the first half of hexadecimal digits, or it is not.
      (call $id (i32.const 64))
      (i32.store8 (i32.const 0)
        (i32.gt_u (i32.load8_u (i32.load (i32.const 64))) (i32.const 0x37)))
      (if (i32.load8_u (i32.const 0)) (then
        ;; err(deny(the command))
        (i32.store8 (i32.const 4) (i32.const 0))
        (i32.store (i32.const 8) (local.get $command))
        (i32.store (i32.const 12) (local.get $command-length))
        (return (i32.const 0))))
      ;; ok(the context as it came)
      (i32.store (i32.const 4) (local.get $command))
      (i32.store (i32.const 8) (local.get $command-length))
      (i32.store (i32.const 12) (local.get $cwd))
      (i32.store (i32.const 16) (local.get $cwd-length))
      (i32.store (i32.const 20) (local.get $env))
      (i32.store (i32.const 24) (local.get $env-length))
      (i32.const 0))
  )
  (core instance $memory (instantiate $memory))
  (core func $id (canon lower (func $call "id") (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
  (core instance $i (instantiate $m
    (with "memory" (instance $memory))
    (with "call" (instance (export "id" (func $id))))))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
