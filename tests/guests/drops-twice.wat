;; stage: rewrite
;; expect: trapped
;; says: unknown handle index
;;
;; Gives back a handle that it has given back.
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
  (alias export $stderr "output-stream" (type $stream))
  (core func $drop (canon resource.drop $stream))
  (core func $get-stderr (canon lower (func $stderr "get-stderr")))
  (core module $m
    (import "wasi" "get-stderr" (func $get-stderr (result i32)))
    (import "wasi" "drop" (func $drop (param i32)))
    (memory (export "memory") 1)
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
      (local $stream i32)
      (local.set $stream (call $get-stderr))
      (call $drop (local.get $stream))
      (call $drop (local.get $stream))
      (i32.const 0))
  )
  (core instance $i (instantiate $m
    (with "wasi" (instance (export "get-stderr" (func $get-stderr)) (export "drop" (func $drop))))))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
