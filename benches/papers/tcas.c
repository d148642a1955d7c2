// tcas: the decision logic of a traffic alert and collision avoidance system, after its public description: an advisory
// to climb or to descend is chosen from the altitudes of two aircraft, the separation that climbing or descending would
// give, and what is known of the intruder. Written anew; section 5 of the Concolic Walk paper uses it as the classical
// testing problem with involved but linear control flow.
// Measure: branches, 86, of which 85 can be reached. The true side of `need_down` in `choose` behind a true `need_up`
// cannot: need_up holds only below the threat (own < other) and need_down only above it (other < own).
#include "target.h"

enum { LEVEL_RATE = 600, MAX_ALTITUDE_DIFFERENCE = 600, CROSSING_BIAS = 100, STRONG_RATE = 1500, NEAR = 450 };
enum capability { EQUIPPED = 1, NOT_EQUIPPED = 2 };
enum intent { NO_INTENT, DO_NOT_CLIMB, DO_NOT_DESCEND };
enum advisory { UNRESOLVED, UPWARD, DOWNWARD };
enum strength { NONE, PREVENTIVE, CORRECTIVE, STRENGTHENED };

struct own {
    int altitude;
    int rate;
    int layer;
    int climb_inhibited;
};

struct intruder {
    int altitude;
    int capability;
    int intent;
    int reports_valid;
    int high_confidence;
};

struct geometry {
    int vertical_separation;
    int up_separation;
    int down_separation;
};

static int separation_threshold(const struct own *own) {
    switch (own->layer) {
    case 0:
        return 400;
    case 1:
        return 500;
    case 2:
        return 640;
    default:
        return 740;
    }
}

static int crossing_minimum(const struct own *own) {
    if (own->layer >= 2)
        return 800;
    return 650;
}

static int inhibit_biased_climb(const struct own *own, const struct geometry *geometry) {
    if (own->climb_inhibited)
        return geometry->up_separation + CROSSING_BIAS;
    return geometry->up_separation;
}

static int own_below_threat(const struct own *own, const struct intruder *intruder) {
    return own->altitude < intruder->altitude;
}

static int own_above_threat(const struct own *own, const struct intruder *intruder) {
    return intruder->altitude < own->altitude;
}

static int non_crossing_biased_climb(const struct own *own, const struct intruder *intruder,
                                     const struct geometry *geometry) {
    int threshold = separation_threshold(own);
    if (inhibit_biased_climb(own, geometry) > geometry->down_separation)
        return !own_below_threat(own, intruder) || geometry->down_separation < threshold;
    return own_above_threat(own, intruder) && geometry->vertical_separation >= crossing_minimum(own) &&
           geometry->up_separation >= threshold;
}

static int non_crossing_biased_descend(const struct own *own, const struct intruder *intruder,
                                       const struct geometry *geometry) {
    int threshold = separation_threshold(own);
    if (inhibit_biased_climb(own, geometry) > geometry->down_separation)
        return own_below_threat(own, intruder) && geometry->vertical_separation >= crossing_minimum(own) &&
               geometry->down_separation >= threshold;
    return !own_above_threat(own, intruder) || geometry->up_separation >= threshold;
}

static int threat_is_tracked(const struct own *own, const struct intruder *intruder, const struct geometry *geometry) {
    return intruder->high_confidence && own->rate <= LEVEL_RATE &&
           geometry->vertical_separation > MAX_ALTITUDE_DIFFERENCE;
}

static int intruder_may_do_anything(const struct intruder *intruder) {
    if (intruder->capability == EQUIPPED)
        return intruder->reports_valid && intruder->intent == NO_INTENT;
    return 1;
}

static enum advisory choose(const struct own *own, const struct intruder *intruder, const struct geometry *geometry) {
    if (!threat_is_tracked(own, intruder, geometry) || !intruder_may_do_anything(intruder))
        return UNRESOLVED;
    int need_up = non_crossing_biased_climb(own, intruder, geometry) && own_below_threat(own, intruder);
    int need_down = non_crossing_biased_descend(own, intruder, geometry) && own_above_threat(own, intruder);
    if (need_up && need_down)
        return UNRESOLVED;
    if (need_up)
        return UPWARD;
    if (need_down)
        return DOWNWARD;
    return UNRESOLVED;
}

static enum strength grade(enum advisory advisory, const struct own *own, const struct geometry *geometry) {
    switch (advisory) {
    case UPWARD:
        if (geometry->up_separation < NEAR && !own->climb_inhibited)
            return STRENGTHENED;
        return own->rate > 0 ? PREVENTIVE : CORRECTIVE;
    case DOWNWARD:
        if (geometry->down_separation < NEAR && own->altitude > 1000)
            return STRENGTHENED;
        return own->rate < -STRONG_RATE ? PREVENTIVE : CORRECTIVE;
    default:
        return NONE;
    }
}

static int alert(int vertical_separation, int high_confidence, int reports_valid, int own_altitude, int own_rate,
                 int other_altitude, int layer, int up_separation, int down_separation, int intent, int capability,
                 int climb_inhibited) {
    struct own own = {own_altitude, own_rate, layer, climb_inhibited};
    struct intruder intruder = {other_altitude, capability, intent, reports_valid, high_confidence};
    struct geometry geometry = {vertical_separation, up_separation, down_separation};
    enum advisory advisory = choose(&own, &intruder, &geometry);
    return (int)advisory * 4 + (int)grade(advisory, &own, &geometry);
}

int main(void) {
    int vertical_separation = symcrete_int("vertical_separation");
    int high_confidence = symcrete_int("high_confidence");
    int reports_valid = symcrete_int("reports_valid");
    int own_altitude = symcrete_int("own_altitude");
    int own_rate = symcrete_int("own_rate");
    int other_altitude = symcrete_int("other_altitude");
    int layer = symcrete_int("layer");
    int up_separation = symcrete_int("up_separation");
    int down_separation = symcrete_int("down_separation");
    int intent = symcrete_int("intent");
    int capability = symcrete_int("capability");
    int climb_inhibited = symcrete_int("climb_inhibited");
    return alert(vertical_separation, high_confidence, reports_valid, own_altitude, own_rate, other_altitude, layer,
                 up_separation, down_separation, intent, capability, climb_inhibited);
}
