// A function that looks at the state of its module.
// flags: --entry withdraw --globals current,limit,table
// paths: 9
// findings: none
// exhaustive: yes
// oracle: none
struct account { int balance; unsigned char locked; char *owner; };
static int limit = 100;
struct account current;
static const int fee = 2;
int table[3] = {1, 2, 3};
int withdraw(int amount) {
    if (current.locked) return -1;
    if (amount <= 0 || amount > limit) return -2;
    if (current.balance < amount + fee) return -3;
    if (current.owner && current.owner[0] == 'X') return -4;
    if (table[1] == 77) return -5;
    current.balance -= amount + fee;
    return 0;
}
