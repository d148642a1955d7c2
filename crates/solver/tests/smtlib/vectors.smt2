; Every operation on vectors on constants: all of these hold, so that the negation of any is a contradiction.
(set-logic QF_BV)
(define-fun all () Bool (and
  (= (bvadd #xf0 #x20 #x01) #x11) (= (bvsub #x01 #x02) #xff) (= (bvmul #x10 #x11) #x10) (= (bvneg #x01) #xff)
  (= (bvudiv #x07 #x02) #x03) (= (bvudiv #x07 #x00) #xff) (= (bvurem #x07 #x00) #x07) (= (bvurem #x07 #x04) #x03)
  (= (bvsdiv #xf9 #x02) #xfd) (= (bvsrem #xf9 #x02) #xff) (= (bvsmod #xf9 #x02) #x01) (= (bvsmod #x07 #xfe) #xff)
  (= (bvsmod #xf9 #x00) #xf9) (= (bvsdiv #x80 #xff) #x80) (= (bvsdiv #xf9 #x00) #x01) (= (bvsrem #xf9 #x00) #xf9)
  (= (bvshl #x01 #x07) #x80) (= (bvshl #x01 #x08) #x00) (= (bvlshr #x80 #x07) #x01) (= (bvashr #x80 #x07) #xff)
  (= (bvashr #x80 #xff) #xff) (= (bvnot #x0f) #xf0) (= (bvand #x3c #x0f #x08) #x08) (= (bvor #x30 #x0f) #x3f)
  (= (bvxor #x3c #x0f) #x33) (= (bvnand #x3c #x0f) #xf3) (= (bvnor #x3c #x0f) #xc0) (= (bvxnor #x3c #x0f) #xcc)
  (= (bvcomp #x01 #x01) #b1) (= (bvcomp #x01 #x02) #b0) (= (concat #x1 #x2 #x3) #x123)
  (= ((_ extract 6 3) #b01011010) #b1011) (= ((_ zero_extend 4) #xf) #x0f) (= ((_ sign_extend 4) #xf) #xff)
  (= ((_ zero_extend 0) #xf) #xf) (= ((_ rotate_left 4) #x12) #x21) (= ((_ rotate_right 1) #x01) #x80)
  (= ((_ rotate_left 9) #x81) #x03) (= ((_ repeat 3) #b10) #b101010) (= (_ bv258 16) #x0102)
  (bvult #x01 #x80) (bvule #x80 #x80) (bvugt #x80 #x01) (bvuge #x80 #x80)
  (bvslt #x80 #x01) (bvsle #x80 #x80) (bvsgt #x01 #x80) (bvsge #x01 #x01)
  (distinct #x01 #x02 #x03) (not (distinct #x01 #x02 #x01)) (= #x01 #x01 #x01) (not (= #x01 #x01 #x02))
  (=> false false) (=> true false true) (xor true false) (not (xor true true)) (xor true true true)
  (= (ite (= #x0 #x1) #x2 #x3) #x3)))
(declare-const p Bool)
(assert (= p all))
(check-sat)
(get-value (p))
(assert (not p))
(check-sat)
; expect
; sat
; ((p true))
; unsat
