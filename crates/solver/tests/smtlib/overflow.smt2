; Predicates of overflow, against what they mean in wider arithmetic.
(set-logic QF_BV)
(declare-const a (_ BitVec 6))
(declare-const b (_ BitVec 6))
(define-fun sa () (_ BitVec 12) ((_ sign_extend 6) a))
(define-fun sb () (_ BitVec 12) ((_ sign_extend 6) b))
(define-fun za () (_ BitVec 12) ((_ zero_extend 6) a))
(define-fun zb () (_ BitVec 12) ((_ zero_extend 6) b))
(define-fun signed ((x (_ BitVec 12))) Bool (and (bvsle (bvneg #x020) x) (bvslt x #x020)))
(define-fun unsigned ((x (_ BitVec 12))) Bool (and (bvsle #x000 x) (bvslt x #x040)))
(assert (or
  (= (bvuaddo a b) (unsigned (bvadd za zb)))
  (= (bvsaddo a b) (signed (bvadd sa sb)))
  (= (bvusubo a b) (unsigned (bvsub za zb)))
  (= (bvssubo a b) (signed (bvsub sa sb)))
  (= (bvumulo a b) (bvult (bvmul za zb) #x040))
  (= (bvsmulo a b) (signed (bvmul sa sb)))
  (= (bvnego a) (signed (bvneg sa)))
  (and (distinct b #b000000) (= (bvsdivo a b) (signed (bvsdiv sa sb))))))
(check-sat)
; expect
; unsat
