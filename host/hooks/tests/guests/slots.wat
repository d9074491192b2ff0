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
  (core module $memory
    (memory (export "memory") SIZE)
    ;; Takes memory from the first page and never gives it back.
    (global $free (export "free") (mut i32) (i32.const 4096))
    (func (export "realloc") (param i32 i32 i32) (param $size i32) (result i32)
      (global.get $free)
      (global.set $free (i32.and
        (i32.add (i32.add (global.get $free) (local.get $size)) (i32.const 7))
        (i32.const -8)))))
  (core instance $memory (instantiate $memory))
  (core func $write (canon lower (func $log "write") (memory (core memory $memory "memory"))))
  (core module $m
    (import "log" "write" (func $write (param i32 i32 i32)))
    (import "memory" "memory" (memory SIZE))
    (import "memory" "free" (global $free (mut i32)))
    (table $table SIZE funcref)
    (elem declare func $leave)
    (global $number (mut i64) (i64.const 0))
    (data (i32.const 64) "SECRET")
    (data (i32.const 96) "found")

    ;; Whether memory that was not handed out, from `from` on, holds anything but zeros.
    (func $memory-holds (param $from i32) (result i32)
      (local $end i32)
      (local.set $end (i32.mul (memory.size) (i32.const 65536)))
      (loop $next
        (if (i64.ne (i64.load (local.get $from)) (i64.const 0)) (then (return (i32.const 1))))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (br_if $next (i32.lt_u (local.get $from) (local.get $end))))
      (i32.const 0))

    (func $table-holds (param $from i32) (result i32)
      (loop $next
        (if (i32.eqz (ref.is_null (table.get $table (local.get $from))))
          (then (return (i32.const 1))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br_if $next (i32.lt_u (local.get $from) (table.size $table))))
      (i32.const 0))

    ;; A frame as others had it, and a local that nobody has set.
    (func $stack-holds (param $depth i32) (result i32)
      (local $unset i64) (local $vector v128)
      (if (local.get $depth)
        (then (return (call $stack-holds (i32.sub (local.get $depth) (i32.const 1))))))
      (i32.or
        (i64.ne (local.get $unset) (i64.const 0))
        (v128.any_true (local.get $vector))))

    ;; At the start, and in what it takes besides.
    (func $finds (result i32)
      (i32.or
        (i32.or
          (i32.or (call $memory-holds (global.get $free)) (call $memory-holds-low))
          (i32.or (call $table-holds (i32.const 0)) (call $stack-holds (i32.const 100))))
        (i32.or
          (i64.ne (global.get $number) (i64.const 0))
          (call $grown-holds))))

    ;; Between its own data and what it hands out.
    (func $memory-holds-low (result i32)
      (local $at i32)
      (local.set $at (i32.const 128))
      (loop $next
        (if (i64.ne (i64.load (local.get $at)) (i64.const 0)) (then (return (i32.const 1))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $next (i32.lt_u (local.get $at) (i32.const 4096))))
      (i32.const 0))

    (func $grown-holds (result i32)
      (local $pages i32) (local $elements i32)
      (local.set $pages (memory.grow (i32.const SIZE)))
      (if (i32.eq (local.get $pages) (i32.const -1)) (then (return (i32.const 1))))
      (local.set $elements (table.grow $table (ref.null func) (i32.const SIZE)))
      (if (i32.eq (local.get $elements) (i32.const -1)) (then (return (i32.const 1))))
      (i32.or
        (call $memory-holds (i32.mul (local.get $pages) (i32.const 65536)))
        (call $table-holds (local.get $elements))))

    (func $fill-stack (param $depth i32) (param $number i64) (result i64)
      (local $one i64) (local $two i64)
      (local.set $one (i64.add (local.get $number) (i64.const 1)))
      (local.set $two (i64.mul (local.get $number) (i64.const 3)))
      (if (result i64) (local.get $depth)
        (then (call $fill-stack (i32.sub (local.get $depth) (i32.const 1)) (local.get $one)))
        (else (i64.or (local.get $one) (local.get $two)))))

    (func $leave
      (local $at i32) (local $end i32)
      (global.set $number (i64.load (i32.const 64)))
      (drop (call $fill-stack (i32.const 200) (global.get $number)))
      (table.fill $table (i32.const 0) (ref.func $leave) (table.size $table))
      (call $write (i32.const 3) (i32.const 64) (i32.const 8))
      (local.set $at (global.get $free))
      (local.set $end (i32.mul (memory.size) (i32.const 65536)))
      (loop $next
        (i64.store (local.get $at) (global.get $number))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
      (local.set $at (i32.const 128))
      (loop $next
        (i64.store (local.get $at) (global.get $number))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $next (i32.lt_u (local.get $at) (i32.const 4096)))))

    ;; err(deny("found"))
    (func $found (result i32)
      (i32.store8 (i32.const 0) (i32.const 1))
      (i32.store8 (i32.const 4) (i32.const 0))
      (i32.store (i32.const 8) (i32.const 96))
      (i32.store (i32.const 12) (i32.const 5))
      (i32.const 0))

    (func (export "before-spawn") (param $command i32) (param $command-length i32)
      (param $cwd i32) (param $cwd-length i32) (param $env i32) (param $env-length i32)
      (result i32)
      ORDER
      ;; ok(the context as it came)
      (i32.store8 (i32.const 0) (i32.const 0))
      (i32.store (i32.const 4) (local.get $command))
      (i32.store (i32.const 8) (local.get $command-length))
      (i32.store (i32.const 12) (local.get $cwd))
      (i32.store (i32.const 16) (local.get $cwd-length))
      (i32.store (i32.const 20) (local.get $env))
      (i32.store (i32.const 24) (local.get $env-length))
      ENDING
      (i32.const 0)))
  (core instance $i (instantiate $m
    (with "memory" (instance $memory))
    (with "log" (instance (export "write" (func $write))))))
  (func $before-spawn (param "spawn" $spawn-context)
    (result (result $spawn-context (error $refusal)))
    (canon lift (core func $i "before-spawn")
      (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
