// Fields of structs at an index that is an input, read and written.
// paths: 3
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

struct account {
    short balance;
    unsigned char owner, locked;
};

int main(void) {
    struct account accounts[4] = {{100, 1, 0}, {50, 2, 0}, {-20, 1, 1}, {0, 3, 0}};
    unsigned char from, amount;
    klee_make_symbolic(&from, sizeof from, "from");
    klee_make_symbolic(&amount, sizeof amount, "amount");
    from &= 3;
    struct account *account = &accounts[from];
    if (account->locked)
        return 1;
    if (account->balance < amount)
        return account->owner == 3 ? 2 : 3;
    account->balance -= amount;
    struct account copy = accounts[0];
    accounts[1] = copy;
    return accounts[1].balance == 30 ? 4 : 0;
}
