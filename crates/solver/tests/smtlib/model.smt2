; Models with one solution, in the form of SMT-LIB 2.6.
(set-option :produce-models true)
(set-logic QF_ABV)
(declare-const a (_ BitVec 16))
(declare-const b (_ BitVec 3))
(declare-const |c d| Bool)
(declare-const big (_ BitVec 72))
(assert (= (bvmul a #x0003) #x0009))
(assert (= b #b101))
(assert |c d|)
(assert (= big (concat #xff (_ bv1 64))))
(check-sat)
(get-model)
(get-value ((bvadd a #x0001)   (ite |c d| b ; a comment
  #b000) |c d|))
(assert (not |c d|))
(get-model)
(check-sat)
(get-value (a))
; expect
; sat
; (
;   (define-fun a () (_ BitVec 16) #x0003)
;   (define-fun b () (_ BitVec 3) #b101)
;   (define-fun |c d| () Bool true)
;   (define-fun big () (_ BitVec 72) #xff0000000000000001)
; )
; (((bvadd a #x0001) #x0004)
;  ((ite |c d| b #b000) #b101)
;  (|c d| true))
; (error "17:1: there is no model; the last check-sat must have answered sat")
; unsat
; (error "19:1: there is no model; the last check-sat must have answered sat")
