// A booking that passes through three calls before the innermost function refuses it.
#include <symcrete.h>

#define ACCOUNTS 4

struct ledger { int balance[ACCOUNTS]; int entries; };

static int post(struct ledger *ledger, int account, int amount) {
    int after = ledger->balance[account] + amount;
    if (after < -500)
        return -1; //~ reached
    ledger->balance[account] = after;
    ledger->entries++;
    return 0;
}

static int transfer(struct ledger *ledger, int from, int to, int amount) {
    if (from == to)
        return -2;
    if (post(ledger, from, -amount))
        return -3;
    return post(ledger, to, amount);
}

static int pay_rent(struct ledger *ledger, int tenant, int months) {
    int due = months * 320;
    if (due > 1000)
        due -= due / 10;
    return transfer(ledger, tenant, 0, due);
}

int main(void) {
    struct ledger ledger = {{0, 250, 700, 1900}, 0};
    int tenant = symcrete_range(1, ACCOUNTS - 1, "tenant");
    int months = symcrete_range(1, 12, "months");
    int result = pay_rent(&ledger, tenant, months);
    if (result == -2)
        return 2; //~ unreachable
    return result != 0;
}
