;; stage: guard
;; expect: ok
;; says: unchanged
;;
;; Waits for its standard input, which has ended before it began.
(component
  (import "spawnhook:hook/types@0.1.0" (instance $types
    (type $context (record
      (field "command" string) (field "cwd" string) (field "env" (list (tuple string string)))))
    (export "spawn-context" (type (eq $context)))
    (type $refusal (variant (case "deny" string) (case "ask" string)))
    (export "refusal" (type (eq $refusal)))))
  (alias export $types "spawn-context" (type $spawn-context))
  (alias export $types "refusal" (type $refusal))
  (import "wasi:io/error@0.2.0" (instance $error (export "error" (type (sub resource)))))
  (alias export $error "error" (type $error))
  (import "wasi:io/streams@0.2.0" (instance $streams
    (export "input-stream" (type $input-stream (sub resource)))
    (alias outer 1 $error (type $outer-error))
    (export "error" (type $error (eq $outer-error)))
    (type $failure (variant (case "last-operation-failed" (own $error)) (case "closed")))
    (export "stream-error" (type $stream-error (eq $failure)))
    (export "[method]input-stream.blocking-read" (func
      (param "self" (borrow $input-stream)) (param "len" u64)
      (result (result (list u8) (error $stream-error)))))))
  (alias export $streams "input-stream" (type $input-stream))
  (import "wasi:cli/stdin@0.2.0" (instance $stdin
    (alias outer 1 $input-stream (type $outer-stream))
    (export "input-stream" (type $stream (eq $outer-stream)))
    (export "get-stdin" (func (result (own $stream))))))
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
  (core func $get-stdin (canon lower (func $stdin "get-stdin")))
  (core func $read (canon lower (func $streams "[method]input-stream.blocking-read")
    (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
  (core module $m
    (import "memory" "memory" (memory 1))
    (import "memory" "realloc" (func $realloc (param i32 i32 i32 i32) (result i32)))
    (export "memory" (memory 0))
    (export "realloc" (func $realloc))
    (import "wasi" "get-stdin" (func $get-stdin (result i32)))
    (import "wasi" "read" (func $read (param $stream i32) (param $length i64) (param $result i32)))
    (func (export "before-spawn") (param $command i32) (param $command-length i32)
      (param $cwd i32) (param $cwd-length i32) (param $env i32) (param $env-length i32)
      (result i32)
      (call $read (call $get-stdin) (i64.const 100) (i32.const 32))
      ;; Neither bytes nor another error than `closed`.
      (if (i32.ne (i32.load8_u (i32.const 32)) (i32.const 1)) (then (unreachable)))
      (if (i32.ne (i32.load8_u (i32.const 36)) (i32.const 1)) (then (unreachable)))
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
      (export "get-stdin" (func $get-stdin)) (export "read" (func $read))))))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
