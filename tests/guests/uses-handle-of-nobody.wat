;; stage: guard
;; expect: trapped
;; says: unknown handle index
;;
;; Uses the directory number 0, which nobody gave it.
(component
  (import "spawnhook:hook/types@0.1.0" (instance $types
    (type $context (record
      (field "command" string) (field "cwd" string) (field "env" (list (tuple string string)))))
    (export "spawn-context" (type (eq $context)))
    (type $refusal (variant (case "deny" string) (case "ask" string)))
    (export "refusal" (type (eq $refusal)))))
  (alias export $types "spawn-context" (type $spawn-context))
  (alias export $types "refusal" (type $refusal))
  (import "wasi:filesystem/types@0.2.0" (instance $files
    (export "descriptor" (type $descriptor (sub resource)))
    (type $kind (enum "unknown" "block-device" "character-device" "directory" "fifo"
      "symbolic-link" "regular-file" "socket"))
    (export "descriptor-type" (type $descriptor-type (eq $kind)))
    (type $codes (enum "access" "would-block" "already" "bad-descriptor" "busy" "deadlock" "quota"
      "exist" "file-too-large" "illegal-byte-sequence" "in-progress" "interrupted" "invalid" "io"
      "is-directory" "loop" "too-many-links" "message-size" "name-too-long" "no-device" "no-entry"
      "no-lock" "insufficient-memory" "insufficient-space" "not-directory" "not-empty"
      "not-recoverable" "unsupported" "no-tty" "no-such-device" "overflow" "not-permitted" "pipe"
      "read-only" "invalid-seek" "text-file-busy" "cross-device"))
    (export "error-code" (type $error-code (eq $codes)))
    (export "[method]descriptor.get-type" (func (param "self" (borrow $descriptor))
      (result (result $descriptor-type (error $error-code)))))))
  (core module $memory (memory (export "memory") 1))
  (core instance $memory (instantiate $memory))
  (core func $get-type (canon lower (func $files "[method]descriptor.get-type")
    (memory (core memory $memory "memory"))))
  (core module $m
    (import "wasi" "get-type" (func $get-type (param $descriptor i32) (param $result i32)))
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
      (call $get-type (i32.const 0) (i32.const 32))
      (i32.const 0))
  )
  (core instance $i (instantiate $m
    (with "wasi" (instance (export "get-type" (func $get-type))))))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
