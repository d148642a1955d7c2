; Definitions, names, scopes.
(set-logic QF_BV)
(set-option :print-success true)
(declare-const y (_ BitVec 8))
(define-fun plus ((x (_ BitVec 8)) (z (_ BitVec 8))) (_ BitVec 8) (bvadd x y z))
(define-const two (_ BitVec 8) #x02)
(set-option :print-success false)
; The y of the definition is the constant, not that of the let around the call.
(assert (! (= #x0a (let ((y #xff) (q two)) (plus q #x03))) :named sum))
(check-sat)
(get-value (y sum))
; Bindings of one let do not see each other.
(assert (let ((y #x01) (w y)) (= w #x05)))
(check-sat)
(assert (let ((y #x01)) (let ((y (bvadd y #x01)) (w y)) (distinct (bvadd y w) #x03))))
(check-sat)
(echo "that was ""all""")
(get-info :name)
(get-unsat-core)
; expect
; success
; success
; success
; success
; sat
; ((y #x05)
;  (sum true))
; sat
; unsat
; "that was ""all"""
; (:name "symcrete")
; unsupported
