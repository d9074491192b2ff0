;; stage: guard
;; expect: cpu-limit
;; says: 50 ms of CPU time
;;
;; Writes one line to its standard error and never ends it.
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
    (export "output-stream" (type $output-stream (sub resource)))
    (alias outer 1 $error (type $outer-error))
    (export "error" (type $error (eq $outer-error)))
    (type $failure (variant (case "last-operation-failed" (own $error)) (case "closed")))
    (export "stream-error" (type $stream-error (eq $failure)))
    (export "[method]output-stream.check-write" (func
      (param "self" (borrow $output-stream)) (result (result u64 (error $stream-error)))))
    (export "[method]output-stream.write" (func
      (param "self" (borrow $output-stream)) (param "contents" (list u8))
      (result (result (error $stream-error)))))))
  (alias export $streams "output-stream" (type $output-stream))
  (import "wasi:cli/stderr@0.2.0" (instance $stderr
    (alias outer 1 $output-stream (type $outer-stream))
    (export "output-stream" (type $stream (eq $outer-stream)))
    (export "get-stderr" (func (result (own $stream))))))
  (core module $memory (memory (export "memory") 3))
  (core instance $memory (instantiate $memory))
  (core func $get-stderr (canon lower (func $stderr "get-stderr")))
  (core func $check (canon lower
    (func $streams "[method]output-stream.check-write") (memory (core memory $memory "memory"))))
  (core func $write (canon lower
    (func $streams "[method]output-stream.write") (memory (core memory $memory "memory"))))
  (core module $m
    (import "memory" "memory" (memory 3))
    (export "memory" (memory 0))
    (import "wasi" "get-stderr" (func $get-stderr (result i32)))
    (import "wasi" "check" (func $check (param $stream i32) (param $result i32)))
    (import "wasi" "write" (func $write (param $stream i32) (param $from i32) (param $length i32) (param $result i32)))
    
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
      (local $stderr i32) (local $left i32)
      (memory.fill (i32.const 65536) (i32.const 46) (i32.const 65536))
      (local.set $stderr (call $get-stderr))
      (local.set $left (i32.const 160))
      (loop $again
        (call $check (local.get $stderr) (i32.const 32))
        (if (i64.lt_u (i64.load (i32.const 40)) (i64.const 65536)) (then (unreachable)))
        (call $write (local.get $stderr) (i32.const 65536) (i32.const 65536) (i32.const 32))
        (if (i32.load8_u (i32.const 32)) (then (unreachable)))
        (br $again))
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
      (export "get-stderr" (func $get-stderr)) (export "check" (func $check))
      (export "write" (func $write))))))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
