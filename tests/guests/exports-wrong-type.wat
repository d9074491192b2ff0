;; stage: rewrite
;; expect: load:exports
;; says: before-spawn has the wrong type
;; says: found func() -> u32
;;
;; Exports the right interface with a function of another type.
(component
  (core module $m (func (export "before-spawn") (result i32) (i32.const 1)))
  (core instance $i (instantiate $m))
  (func $before-spawn (result u32) (canon lift (core func $i "before-spawn")))
  (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
  (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
)
