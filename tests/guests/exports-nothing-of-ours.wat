;; stage: rewrite
;; expect: load:exports
;; says: does not export spawnhook:hook/spawn-hook@0.1.0
;; says: it exports example:tool/run@0.1.0
;;
;; A component that is no hook.
(component
  (core module $m (func (export "run")))
  (core instance $i (instantiate $m))
  (func $run (canon lift (core func $i "run")))
  (instance $tool (export "run" (func $run)))
  (export "example:tool/run@0.1.0" (instance $tool))
)
