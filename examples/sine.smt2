; A double for which the exponential of its sine is exactly 1.5. The script of the book page on `solve`.
(set-logic QF_FP)
(declare-fun sin (Float64) Float64)
(declare-fun exp (Float64) Float64)
(declare-const x Float64)
(assert (fp.eq (exp (sin x)) ((_ to_fp 11 53) RNE 1.5)))
(check-sat)
(get-model)
