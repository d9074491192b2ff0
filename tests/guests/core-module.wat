;; stage: rewrite
;; expect: load:core-module
;; says: this is a core module, not a component
;;
;; A core module, as a compiler leaves it that was not told to make a component.
(module
  (memory (export "memory") 1)
  (func (export "before-spawn"))
)
