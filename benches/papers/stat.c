// stat: mean, variance, standard deviation, smallest and largest value of a list of numbers, and its outliers; like the
// example of that name in the distribution of Symbolic PathFinder, which section 5 of the Concolic Walk paper describes
// by "computes the mean and standard deviation of a list of numbers". Six values, because a value can be sqrt(n - 1)
// deviations from the mean at most, and the classification asks for two.
// Measure: branches, 58. All can be reached.
#include "target.h"
#include <math.h>

enum { LIMIT = 6 };
enum kind { ORDINARY, MILD_LOW, MILD_HIGH, EXTREME_LOW, EXTREME_HIGH };
enum spread { EMPTY, INVALID, CONSTANT, NARROW, WIDE };

struct list {
    int count;
    double values[LIMIT];
};

struct summary {
    double mean;
    double variance;
    double deviation;
    double smallest;
    double largest;
    int outliers[5];
};

static int is_number(double value) {
    return value == value && value - value == 0;
}

static int add(struct list *list, double value) {
    if (list->count >= LIMIT || !is_number(value))
        return 0;
    list->values[list->count++] = value;
    return 1;
}

static double mean(const struct list *list) {
    double sum = 0;
    for (int i = 0; i < list->count; i++)
        sum += list->values[i];
    return sum / list->count;
}

static double variance(const struct list *list, double center) {
    double sum = 0;
    for (int i = 0; i < list->count; i++) {
        double distance = list->values[i] - center;
        sum += distance * distance;
    }
    return sum / list->count;
}

static void find_range(const struct list *list, struct summary *summary) {
    summary->smallest = list->values[0];
    summary->largest = list->values[0];
    for (int i = 1; i < list->count; i++) {
        if (list->values[i] < summary->smallest)
            summary->smallest = list->values[i];
        else if (list->values[i] > summary->largest)
            summary->largest = list->values[i];
    }
}

static enum kind classify(double value, const struct summary *summary) {
    double score = (value - summary->mean) / summary->deviation;
    if (score > 2)
        return EXTREME_HIGH;
    if (score > 1.5)
        return MILD_HIGH;
    if (score < -2)
        return EXTREME_LOW;
    if (score < -1.5)
        return MILD_LOW;
    return ORDINARY;
}

static enum spread describe(const struct list *list, struct summary *summary) {
    if (list->count == 0)
        return EMPTY;
    summary->mean = mean(list);
    summary->variance = variance(list, summary->mean);
    summary->deviation = sqrt(summary->variance);
    find_range(list, summary);
    if (!is_number(summary->variance))
        return INVALID;
    if (summary->deviation == 0)
        return CONSTANT;
    for (int i = 0; i < list->count; i++)
        summary->outliers[classify(list->values[i], summary)]++;
    if (summary->deviation < 0.01 * fabs(summary->mean))
        return NARROW;
    return WIDE;
}

static int verdict(const struct summary *summary, enum spread spread) {
    int extremes = summary->outliers[EXTREME_LOW] + summary->outliers[EXTREME_HIGH];
    int mild = summary->outliers[MILD_LOW] + summary->outliers[MILD_HIGH];
    if (spread == NARROW && extremes > 0)
        return 1;
    if (spread == WIDE && extremes == 0 && mild == 2)
        return 2;
    if (summary->smallest < 0 && summary->largest > 0 && summary->mean == 0)
        return 3;
    return 0;
}

static int stat(int count, const double *values) {
    struct list list = {0};
    struct summary summary = {0};
    for (int i = 0; i < count; i++)
        if (!add(&list, values[i]))
            return -1;
    enum spread spread = describe(&list, &summary);
    return (int)spread * 10 + verdict(&summary, spread);
}

int main(void) {
    double values[LIMIT + 1];
    for (int i = 0; i <= LIMIT; i++)
        values[i] = symcrete_double("value");
    return stat(symcrete_range(0, LIMIT + 1, "count"), values);
}
