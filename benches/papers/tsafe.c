// tsafe: a conflict probe of two aircraft that turn, and a search for a turn that resolves the conflict, after the
// description of the Tactical Separation Assisted Flight Environment in section 5.2 of the paper on mixed
// concrete-symbolic solving and section 5 of the Concolic Walk paper. Nautical miles, knots, hours, degrees; an
// aircraft in a turn flies an arc of radius v^2 / (g tan(bank)).
// Measure: branches, 34. All can be reached. The paper on mixed solving counts the five branches of the probe: these
// are the five `if` of conflict_probe, each taken both ways; the third asks for two equal velocities, a single point.
#include "target.h"
#include <math.h>

static const double GRAVITY = 68624.7, HORIZON = 0.05, REQUIRED = 5;

struct aircraft {
    double x, y, heading, speed, turn, bank;
};

static double radians(double degrees) {
    return degrees * (M_PI / 180);
}

static double turn_radius(const struct aircraft *plane) {
    return pow(plane->speed, 2) / (GRAVITY * tan(radians(plane->bank)));
}

// Flies `plane` along its arc for the given time; headings are measured from north, which is y.
static void fly_arc(struct aircraft *plane, double sign, double hours) {
    double radius = turn_radius(plane);
    double before = radians(plane->heading);
    double after = before + sign * plane->speed * hours / radius;
    plane->x += sign * radius * (cos(before) - cos(after));
    plane->y += sign * radius * (sin(after) - sin(before));
    plane->heading = after * (180 / M_PI);
}

static double conflict_probe(struct aircraft own, struct aircraft other, double separation, int *conflict) {
    double own_sign = 1, other_sign = 1;
    if (own.turn < 0)
        own_sign = -1;
    if (other.turn < 0)
        other_sign = -1;
    double hours = fabs(radians(own.turn)) * turn_radius(&own) / own.speed;
    fly_arc(&own, own_sign, hours);
    fly_arc(&other, other_sign, hours);
    double dx = other.x - own.x, dy = other.y - own.y;
    double vx = other.speed * sin(radians(other.heading)) - own.speed * sin(radians(own.heading));
    double vy = other.speed * cos(radians(other.heading)) - own.speed * cos(radians(own.heading));
    double closest = 0;
    if (pow(vx, 2) + pow(vy, 2) != 0)
        closest = fmin(-(dx * vx + dy * vy) / (pow(vx, 2) + pow(vy, 2)), HORIZON);
    if (closest < 0)
        closest = 0;
    double distance = sqrt(pow(dx + vx * closest, 2) + pow(dy + vy * closest, 2));
    if (distance < separation)
        *conflict = 1;
    return distance;
}

static int can_fly(const struct aircraft *plane) {
    return plane->speed >= 100 && plane->speed <= 600 && plane->bank > 0 && plane->bank <= 30;
}

static double resolve(struct aircraft own, struct aircraft other) {
    double best = 0, widest = 0;
    for (double turn = -60; turn <= 60; turn += 40) {
        int conflict = 0;
        own.turn = turn;
        double distance = conflict_probe(own, other, REQUIRED, &conflict);
        if (!conflict && distance > widest) {
            widest = distance;
            best = turn;
        }
    }
    return best;
}

static int tsafe(struct aircraft own, struct aircraft other) {
    if (!can_fly(&own) || !can_fly(&other))
        return 0;
    int conflict = 0;
    conflict_probe(own, other, REQUIRED, &conflict);
    if (!conflict)
        return 1;
    double turn = resolve(own, other);
    if (turn == 0)
        return 2;
    return turn < 0 ? 3 : 4;
}

int main(void) {
    struct aircraft own = {0}, other = {0};
    own.speed = symcrete_double("own.speed");
    own.turn = symcrete_double("own.turn");
    own.bank = other.bank = symcrete_double("bank");
    other.x = symcrete_double("other.x");
    other.y = symcrete_double("other.y");
    other.heading = symcrete_double("other.heading");
    other.speed = symcrete_double("other.speed");
    other.turn = symcrete_double("other.turn");
    return tsafe(own, other);
}
