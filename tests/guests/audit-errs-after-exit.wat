;; stage: audit
;; phase: after-exit
;; expect: errored
;; says: after-exit returned an error: the disk is on fire
;;
;; Records the spawn, and returns an error after the exit.
(component
  (import "spawnhook:hook/types@0.1.0" (instance $types
    (type $context (record
      (field "command" string) (field "cwd" string) (field "env" (list (tuple string string)))))
    (export "spawn-context" (type (eq $context)))
    (type $refusal (variant (case "deny" string) (case "ask" string)))
    (export "refusal" (type (eq $refusal)))
    (type $status (variant
      (case "exited" s32) (case "signaled" s32)
      (case "timed-out" (option s32)) (case "cancelled" (option s32))
      (case "denied" string) (case "hook-failed" string) (case "spawn-failed" string)))
    (export "exit-status" (type (eq $status)))))
  (alias export $types "spawn-context" (type $spawn-context))
  (alias export $types "refusal" (type $refusal))
  (alias export $types "exit-status" (type $exit-status))
  (import "spawnhook:hook/audit-log@0.1.0" (instance $audit-log
    (export "append" (func (param "entry" string) (result (result (error string)))))))
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
  (core func $append (canon lower (func $audit-log "append")
    (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
  (core module $m
    (import "audit-log" "append" (func $append (param $entry i32) (param $length i32) (param $result i32)))
    (import "memory" "memory" (memory 1))
    (import "memory" "realloc" (func $realloc (param i32 i32 i32 i32) (result i32)))
    (export "memory" (memory 0))
    (export "realloc" (func $realloc))
    
    (data (i32.const 64) "{\"seen\":true}")
    (func (export "before-spawn") (param $command i32) (param $command-length i32)
      (param $cwd i32) (param $cwd-length i32) (param $env i32) (param $env-length i32)
      (result i32)
      (call $append (i32.const 64) (i32.const 13) (i32.const 32))
      ;; ok(the context as it came)
      (i32.store8 (i32.const 0) (i32.const 0))
      (i32.store (i32.const 4) (local.get $command))
      (i32.store (i32.const 8) (local.get $command-length))
      (i32.store (i32.const 12) (local.get $cwd))
      (i32.store (i32.const 16) (local.get $cwd-length))
      (i32.store (i32.const 20) (local.get $env))
      (i32.store (i32.const 24) (local.get $env-length))
      (i32.const 0))
    (data (i32.const 200) "the disk is on fire")
    (func (export "after-exit") (param i32 i32 i32 i32 i32 i32)
      (param $status i32) (param i32 i32) (result i32)
      (i32.store8 (i32.const 0) (i32.const 1))
      (i32.store (i32.const 4) (i32.const 200))
      (i32.store (i32.const 8) (i32.const 19))
      (i32.const 0))
  )
  (core instance $i (instantiate $m
    (with "memory" (instance $memory))
    (with "audit-log" (instance (export "append" (func $append))))))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
  (func $after-exit (param "spawn" $spawn-context) (param "status" $exit-status)
    (result (result (error string)))
    (canon lift (core func $i "after-exit") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $exit-hook (export "after-exit" (func $after-exit)))
  (export "spawnhook:hook/exit-hook@0.1.0" (instance $exit-hook))
)
