// For programs with N parameters and as many conditionals: OTHERS(M) is M(2) to M(N), and PARAMETER(k) one more parameter. N is 9 as in the
// paper, or 64 with -DN=64.
#ifndef N
#define N 9
#endif

#define UP_TO_9(M) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9)
#if N == 9
#define OTHERS(M) UP_TO_9(M)
#elif N == 64
#define OTHERS(M)                                                                                                          \
    UP_TO_9(M)                                                                                                             \
    M(10) M(11) M(12) M(13) M(14) M(15) M(16) M(17) M(18) M(19) M(20) M(21) M(22) M(23) M(24) M(25) M(26) M(27) M(28)      \
    M(29) M(30) M(31) M(32) M(33) M(34) M(35) M(36) M(37) M(38) M(39) M(40) M(41) M(42) M(43) M(44) M(45) M(46) M(47)      \
    M(48) M(49) M(50) M(51) M(52) M(53) M(54) M(55) M(56) M(57) M(58) M(59) M(60) M(61) M(62) M(63) M(64)
#else
#error "N must be 9 or 64"
#endif

#define PARAMETER(k) , int x##k
