;; stage: guard
;; expect: ok
;; says: unchanged
;;
;; Asks WASI for variables, arguments and a directory, and traps unless there is nothing.
(component
  (import "spawnhook:hook/types@0.1.0" (instance $types
    (type $context (record
      (field "command" string) (field "cwd" string) (field "env" (list (tuple string string)))))
    (export "spawn-context" (type (eq $context)))
    (type $refusal (variant (case "deny" string) (case "ask" string)))
    (export "refusal" (type (eq $refusal)))))
  (alias export $types "spawn-context" (type $spawn-context))
  (alias export $types "refusal" (type $refusal))
  (import "wasi:cli/environment@0.2.0" (instance $environment
    (export "get-environment" (func (result (list (tuple string string)))))
    (export "get-arguments" (func (result (list string))))
    (export "initial-cwd" (func (result (option string))))))
  (import "wasi:filesystem/types@0.2.0" (instance $files (export "descriptor" (type (sub resource)))))
  (alias export $files "descriptor" (type $descriptor))
  (import "wasi:filesystem/preopens@0.2.0" (instance $preopens
    (alias outer 1 $descriptor (type $outer-descriptor))
    (export "descriptor" (type $d (eq $outer-descriptor)))
    (export "get-directories" (func (result (list (tuple (own $d) string)))))))
  (core module $memory
    (memory (export "memory") 1)
    ;; Takes memory from the first page and never gives it back.
    (global $free (mut i32) (i32.const 4096))
    (func (export "realloc") (param i32 i32 i32) (param $size i32) (result i32)
      (global.get $free)
      (global.set $free (i32.and
        (i32.add (i32.add (global.get $free) (local.get $size)) (i32.const 7))
        (i32.const -8))))
  )
  (core instance $memory (instantiate $memory))
  (core func $environment (canon lower (func $environment "get-environment")
    (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
  (core func $arguments (canon lower (func $environment "get-arguments")
    (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
  (core func $cwd (canon lower (func $environment "initial-cwd")
    (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
  (core func $directories (canon lower (func $preopens "get-directories")
    (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
  (core module $m
    (import "memory" "memory" (memory 1))
    (import "memory" "realloc" (func $realloc (param i32 i32 i32 i32) (result i32)))
    (export "memory" (memory 0))
    (export "realloc" (func $realloc))
    (import "wasi" "environment" (func $environment (param $result i32)))
    (import "wasi" "arguments" (func $arguments (param $result i32)))
    (import "wasi" "cwd" (func $cwd (param $result i32)))
    (import "wasi" "directories" (func $directories (param $result i32)))
    
    (func (export "before-spawn") (param $command i32) (param $command-length i32)
      (param $cwd i32) (param $cwd-length i32) (param $env i32) (param $env-length i32)
      (result i32)
      (call $environment (i32.const 32))
      (if (i32.load (i32.const 36)) (then (unreachable)))
      (call $arguments (i32.const 32))
      (if (i32.load (i32.const 36)) (then (unreachable)))
      (call $cwd (i32.const 32))
      (if (i32.load8_u (i32.const 32)) (then (unreachable)))
      (call $directories (i32.const 32))
      (if (i32.load (i32.const 36)) (then (unreachable)))
      ;; ok(the context as it came)
      (i32.store8 (i32.const 0) (i32.const 0))
      (i32.store (i32.const 4) (local.get $command))
      (i32.store (i32.const 8) (local.get $command-length))
      (i32.store (i32.const 12) (local.get $cwd))
      (i32.store (i32.const 16) (local.get $cwd-length))
      (i32.store (i32.const 20) (local.get $env))
      (i32.store (i32.const 24) (local.get $env-length))
      (i32.const 0))
  )
  (core instance $i (instantiate $m
    (with "memory" (instance $memory))
    (with "wasi" (instance
      (export "environment" (func $environment)) (export "arguments" (func $arguments))
      (export "cwd" (func $cwd)) (export "directories" (func $directories))))))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
