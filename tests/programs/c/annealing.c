// Simulated annealing of a tour, with a random number generator of its own; Dijkstra and Floyd on a grid.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CITIES = 14 };
static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t next(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1du;
}

static double uniform(void) { return (double)(next() >> 11) / 9007199254740992.0; }

static double places[CITIES][2];

static double length(const int *tour) {
    double sum = 0;
    for (int index = 0; index < CITIES; index++) {
        const double *from = places[tour[index]], *to = places[tour[(index + 1) % CITIES]];
        sum += hypot(from[0] - to[0], from[1] - to[1]);
    }
    return sum;
}

static void reverse(int *tour, int from, int to) {
    while (from < to) {
        int kept = tour[from];
        tour[from++] = tour[to];
        tour[to--] = kept;
    }
}

static double anneal(int *tour) {
    double current = length(tour), best = current;
    int kept[CITIES], accepted = 0;
    memcpy(kept, tour, sizeof kept);
    for (double temperature = 1; temperature > 0.01; temperature *= 0.985) {
        int from = (int)(next() % CITIES), to = (int)(next() % CITIES);
        if (from > to) {
            int other = from;
            from = to;
            to = other;
        }
        reverse(tour, from, to);
        double changed = length(tour);
        if (changed < current || uniform() < exp((current - changed) / temperature)) {
            current = changed;
            accepted++;
        } else {
            reverse(tour, from, to);
        }
        if (current < best) {
            best = current;
            memcpy(kept, tour, sizeof kept);
        }
    }
    printf("%d accepted, ", accepted);
    memcpy(tour, kept, sizeof kept);
    return best;
}

static void shortest_paths(void) {
    int distance[CITIES][CITIES];
    for (int from = 0; from < CITIES; from++)
        for (int to = 0; to < CITIES; to++)
            distance[from][to] = from == to ? 0 : next() % 3 == 0 ? (int)(next() % 50) + 1 : 1000000;
    for (int over = 0; over < CITIES; over++)
        for (int from = 0; from < CITIES; from++)
            for (int to = 0; to < CITIES; to++)
                if (distance[from][over] + distance[over][to] < distance[from][to])
                    distance[from][to] = distance[from][over] + distance[over][to];
    long sum = 0;
    for (int from = 0; from < CITIES; from++)
        for (int to = 0; to < CITIES; to++)
            sum = (sum * 31 + distance[from][to]) % 1000003;
    printf("%ld %d\n", sum, distance[0][CITIES - 1]);
}

static double estimate_pi(int points) {
    int inside = 0;
    for (int point = 0; point < points; point++) {
        double x = uniform(), y = uniform();
        inside += x * x + y * y < 1;
    }
    return 4.0 * inside / points;
}

int main(void) {
    int tour[CITIES];
    for (int city = 0; city < CITIES; city++) {
        places[city][0] = uniform();
        places[city][1] = uniform();
        tour[city] = city;
    }
    double before = length(tour), after = anneal(tour);
    printf("%.12g -> %.12g:", before, after);
    for (int index = 0; index < CITIES; index++)
        printf(" %d", tour[index]);
    putchar('\n');
    shortest_paths();
    printf("%.6f\n", estimate_pi(500));
    return 0;
}
