// An empty barrier is nothing; anything else in assembly is not supported yet.
// status: 2
int main(void) {
    int from = 5, to = 0;
    __asm__ volatile("" ::: "memory");
    __asm__("movl %1, %0" : "=r"(to) : "r"(from)); //~ inline assembly
    return to;
}
