; Levels of assertions and declarations.
(set-logic QF_BV)
(set-info :source |a test|)
(declare-fun x () (_ BitVec 8))
(assert (bvult x #x10))
(check-sat)
(push 1)
(declare-const y (_ BitVec 8))
(assert (= y (bvadd x #x01)))
(push)
(assert (bvugt x #x20))
(check-sat)
(pop 1)
(assert (= y #x00))
(check-sat)
(pop 1)
(declare-const y Bool)
(assert y)
(check-sat)
(push 2)
(assert (not y))
(check-sat)
(pop 2)
(check-sat)
(check-sat-assuming ((not y)))
(check-sat-assuming (y (= x #x0f)))
(get-value (x y))
(reset-assertions)
(declare-const x Bool)
(assert (and x true))
(check-sat)
(exit)
(check-sat)
; expect
; sat
; unsat
; unsat
; sat
; unsat
; sat
; unsat
; sat
; ((x #x0f)
;  (y true))
; sat
