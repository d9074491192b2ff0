;; stage: rewrite
;; rights: command
;; expect: ok
;; says: echo access-denied
;;
;; Wants a TCP socket and tells by its command what it got: nothing but access-denied leads to
;; the text above, and everything else to a trap.
(component
  (import "spawnhook:hook/types@0.1.0" (instance $types
    (type $context (record
      (field "command" string) (field "cwd" string) (field "env" (list (tuple string string)))))
    (export "spawn-context" (type (eq $context)))
    (type $refusal (variant (case "deny" string) (case "ask" string)))
    (export "refusal" (type (eq $refusal)))))
  (alias export $types "spawn-context" (type $spawn-context))
  (alias export $types "refusal" (type $refusal))
  (import "wasi:sockets/network@0.2.0" (instance $network
    (type $codes (enum
      "unknown" "access-denied" "not-supported" "invalid-argument"
      "out-of-memory" "timeout" "concurrency-conflict" "not-in-progress"
      "would-block" "invalid-state" "new-socket-limit" "address-not-bindable"
      "address-in-use" "remote-unreachable" "connection-refused" "connection-reset"
      "connection-aborted" "datagram-too-large" "name-unresolvable" "temporary-resolver-failure"
      "permanent-resolver-failure"))
    (export "error-code" (type (eq $codes)))
    (type $families (enum "ipv4" "ipv6"))
    (export "ip-address-family" (type (eq $families)))))
  (alias export $network "error-code" (type $error-code))
  (alias export $network "ip-address-family" (type $ip-address-family))
  (import "wasi:sockets/tcp@0.2.0" (instance $tcp (export "tcp-socket" (type (sub resource)))))
  (alias export $tcp "tcp-socket" (type $tcp-socket))
  (import "wasi:sockets/tcp-create-socket@0.2.0" (instance $create
    (alias outer 1 $tcp-socket (type $outer-socket))
    (export "tcp-socket" (type $socket (eq $outer-socket)))
    (alias outer 1 $error-code (type $outer-code))
    (export "error-code" (type $code (eq $outer-code)))
    (alias outer 1 $ip-address-family (type $outer-family))
    (export "ip-address-family" (type $family (eq $outer-family)))
    (export "create-tcp-socket" (func (param "address-family" $family)
      (result (result (own $socket) (error $code)))))))
  (core module $memory (memory (export "memory") 1))
  (core instance $memory (instantiate $memory))
  (core func $create (canon lower (func $create "create-tcp-socket") (memory (core memory $memory "memory"))))
  (core module $m
    (import "memory" "memory" (memory 1))
    (export "memory" (memory 0))
    (import "sockets" "create" (func $create (param $family i32) (param $result i32)))
    
    (data (i32.const 64) "echo access-denied")
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
      (call $create (i32.const 0) (i32.const 32))
      ;; an error, and the one that is called access-denied
      (if (i32.ne (i32.load8_u (i32.const 32)) (i32.const 1)) (then (unreachable)))
      (if (i32.ne (i32.load8_u (i32.const 36)) (i32.const 1)) (then (unreachable)))
      ;; ok(the context with another command)
      (i32.store8 (i32.const 0) (i32.const 0))
      (i32.store (i32.const 4) (i32.const 64))
      (i32.store (i32.const 8) (i32.const 18))
      (i32.store (i32.const 12) (local.get $cwd))
      (i32.store (i32.const 16) (local.get $cwd-length))
      (i32.store (i32.const 20) (local.get $env))
      (i32.store (i32.const 24) (local.get $env-length))
      (i32.const 0))
  )
  (core instance $i (instantiate $m
    (with "memory" (instance $memory))
    (with "sockets" (instance (export "create" (func $create))))))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
