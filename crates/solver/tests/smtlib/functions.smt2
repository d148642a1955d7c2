; Functions that are declared without a body: by their names, by names for the same sorts, and as parts of what a function gives.
(set-logic ALL)
(declare-fun pow (Float64 Float64) Float64)
(declare-fun power (Float64 (_ FloatingPoint 11 53)) Float64 :pure "pow")
(declare-fun |pow(2)| ((_ BitVec 64) (_ BitVec 64)) (_ BitVec 64))
(declare-fun fabs (Float32) Float32)
(declare-fun parts.1 (Float64) Float64)
(declare-const x Float64)
(declare-const b (_ BitVec 64))
(define-fun two () Float64 ((_ to_fp 11 53) RNE 2.0))
(push)
(assert (= x (pow two ((_ to_fp 11 53) RNE (- 1.0)))))
(check-sat)
(get-value ((fp.eq (pow x two) (pow two (fp.neg two))) (power two two) (|pow(2)| #x4000000000000000 #x4008000000000000)))
(get-model)
(pop)
(push)
; The same function of the same arguments, whatever its name and its sorts.
(assert (= x ((_ to_fp 11 53) b)))
(assert (not (fp.isNaN x)))
(assert (distinct (pow x two) (power x two)))
(check-sat)
(pop)
(push)
; Mixed floats are converted as it is written.
(assert (= x ((_ to_fp 11 53) RNE (_ bv5 32))))
(check-sat)
(define-fun half () Float32 (fabs (fp.neg ((_ to_fp 8 24) RNE (fp.div RNE x two)))))
(get-value (half (parts.1 (pow ((_ to_fp 11 53) RNE half) two))))
(pop)
(push)
; Equal as bits or both NaN, against equal as numbers.
(assert (= x (pow (fp.neg two) ((_ to_fp 11 53) RNE 0.5))))
(check-sat)
(get-value ((= x (pow (fp.neg two) x)) (fp.eq x x)))
(pop)
(declare-fun frem_11_53 (Float64 Float64) Float64)
(assert (= x (frem_11_53 ((_ to_fp 11 53) RNE 7.5) two)))
(check-sat)
(get-value (x))
; expect
; sat
; (((fp.eq (pow x two) (pow two (fp.neg two))) true)
;  ((power two two) (fp #b0 #b10000000001 #x0000000000000))
;  ((|pow(2)| #x4000000000000000 #x4008000000000000) #x4020000000000000))
; (
;   (define-fun x () (_ FloatingPoint 11 53) (fp #b0 #b01111111110 #x0000000000000))
;   (define-fun b () (_ BitVec 64) #x0000000000000000)
; )
; unsat
; sat
; ((half (fp #b0 #b10000000 #b01000000000000000000000))
;  ((parts.1 (pow ((_ to_fp 11 53) RNE half) two)) (fp #b0 #b10000000001 #x8000000000000)))
; sat
; (((= x (pow (fp.neg two) x)) true)
;  ((fp.eq x x) false))
; sat
; ((x (fp #b0 #b01111111111 #x8000000000000)))
