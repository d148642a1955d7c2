; The format of x87, whose leading bit SMT-LIB does not write.
(set-logic QF_BVFP)
(declare-const x (_ FloatingPoint 15 64))
(declare-const y (_ FloatingPoint 15 64))
(assert (= x ((_ to_fp 15 64) RNE 1.5)))
(assert (= y (fp.mul RNE x x)))
(check-sat)
(get-value (x y (fp.isNormal y)))
(assert (distinct y (fp #b0 #b100000000000000 (concat #b001 #b000000000000000000000000000000 #b000000000000000000000000000000))))
(check-sat)
; expect
; sat
; ((x (fp #b0 #b011111111111111 #b100000000000000000000000000000000000000000000000000000000000000))
;  (y (fp #b0 #b100000000000000 #b001000000000000000000000000000000000000000000000000000000000000))
;  ((fp.isNormal y) true))
; unsat
