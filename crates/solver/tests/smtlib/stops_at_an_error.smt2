; What is asked after a command that cannot be understood would be about something else.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (bvult x #x03))
(check-sat)
(assert (bvfoo x))
(check-sat)
; expect
; sat
; (error "6:9: `bvfoo` is not declared")
