// An order whose kind is fixed at the start and asked for again after unrelated work.
#include <symcrete.h>

struct order { int kind, quantity, price; };

static int discount(const struct order *order) {
    int percent = 0;
    for (int step = 10; step <= 50; step += 10)
        if (order->quantity >= step)
            percent += 2;
    return order->price * percent / 100;
}

int main(void) {
    struct order order = {symcrete_int("kind"), symcrete_range(1, 60, "quantity"), symcrete_range(1, 1000, "price")};
    if (order.kind < 3)
        return 0;
    int total = order.quantity * (order.price - discount(&order));
    if (total > 30000)
        total -= 500;
    if (order.quantity % 2)
        total += 9;
    int shipped = 0;
    while (shipped < order.quantity)
        shipped += 20;
    if (shipped == 60 && total > 100 && order.kind == 2)
        return 1; //~ unreachable
    if (shipped == 60 && total > 100 && order.kind == 3)
        return 2; //~ reached
    return 3;
}
