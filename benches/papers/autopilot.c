// autopilot: a digital autopilot for one axis of a lunar module, stepped STEPS times: an estimator of attitude and
// rate, an integrator of offset acceleration, phase-plane logic with dead bands and switching curves, and the computed
// on-time of the jets. An observer fails when that time, in seconds, is above THRESHOLD. After the description in
// section 5.3 of the paper on mixed concrete-symbolic solving (the value observed there is called tjcalc); written anew
// from the control theory of a double integrator.
// Measure: one target, in observer_failed. With THRESHOLD 10 (default) it can be reached in STEPS 5 (default) and not
// in 4; with THRESHOLD 4 in 2 and not in 1. Not proved, but argued and searched: a reading adds at most 1.6 to the rate
// (0.08 of a surprise of 2 degrees, in 0.1 s), the stick moves the desired rate by at most 0.5 the other way, and the
// jets oppose the error. So four steps make an error of the rate of about 8.4 at most, and that a time of (1 + sqrt(1 /
// 2)) * 8.4 / 1.5 = 9.6; an attitude to be held gives less. The largest times that hill climbing over all inputs found
// after 1 to 5 steps are 2.28, 4.73, 6.98, 9.22 and 11.45.
#include "target.h"
#include <math.h>

#ifndef STEPS
#define STEPS 5
#endif
#ifndef THRESHOLD
#define THRESHOLD 10
#endif

// Degrees and seconds.
static const double PERIOD = 0.1;
static const double TWO_JETS = 1.5;
static const double FOUR_JETS = 3.0;
static const double NARROW_BAND = 0.3;
static const double WIDE_BAND = 1.0;
static const double LARGEST_JUMP = 2.0;
static const double RATE_SCALE = 5.0;
static const double FASTEST_SLEW = 0.5;
static const double SHORTEST_PULSE = 0.014;

enum mode { IDLE, RATE_COMMAND, ATTITUDE_HOLD };
enum zone { COAST, FIRE_NEGATIVE, FIRE_POSITIVE };

struct measurement {
    double attitude;
    double stick;
    int engine_on;
    int jets_failed;
};

struct autopilot {
    enum mode mode;
    double attitude;
    double rate;
    double offset;
    double desired;
    double desired_rate;
    int bad_readings;
    int minimum_pulses;
    int firings;
    double on_time;
};

static void observer_failed(void) {
    TARGET(1);
}

static double limit(double value, double bound) {
    if (value > bound)
        return bound;
    if (value < -bound)
        return -bound;
    return value;
}

// Predicts attitude and rate from the last step, with what the jets did, and corrects them by the reading. A reading
// that lies too far from the prediction is not believed; at the third of them in a row the autopilot lets go.
static void estimate(struct autopilot *pilot, const struct measurement *input, double jet_acceleration) {
    double fired = fmin(pilot->on_time, PERIOD);
    double change = (jet_acceleration * fired) + pilot->offset * PERIOD;
    double predicted = pilot->attitude + pilot->rate * PERIOD + 0.5 * change * PERIOD;
    double surprise = input->attitude - predicted;
    pilot->rate += change;
    pilot->attitude = predicted;
    if (!(fabs(surprise) <= LARGEST_JUMP)) {
        pilot->bad_readings++;
        if (pilot->bad_readings > 2)
            pilot->mode = IDLE;
        return;
    }
    pilot->bad_readings = 0;
    pilot->attitude += 0.6 * surprise;
    pilot->rate += 0.08 * surprise / PERIOD;
    if (input->engine_on)
        pilot->offset = limit(pilot->offset + 0.02 * surprise, 0.1);
    else
        pilot->offset = 0;
}

// What the pilot asks for: a rate while the stick is out of its detent, otherwise the attitude when it came back.
static void follow_stick(struct autopilot *pilot, const struct measurement *input) {
    double stick = limit(input->stick, 1);
    if (fabs(stick) > 0.05) {
        double wanted = RATE_SCALE * stick * fabs(stick);
        pilot->desired_rate += limit(wanted - pilot->desired_rate, FASTEST_SLEW);
        pilot->desired = pilot->attitude;
        pilot->mode = RATE_COMMAND;
    } else if (pilot->mode == RATE_COMMAND) {
        pilot->desired_rate -= limit(pilot->desired_rate, FASTEST_SLEW);
        pilot->desired = pilot->attitude;
        if (fabs(pilot->rate) < 2 && pilot->desired_rate == 0)
            pilot->mode = ATTITUDE_HOLD;
    }
}

// The zone of the phase plane: outside the parabolas on which one more firing would bring the error to the edge of the
// dead band.
static enum zone find_zone(double error, double rate, double acceleration, double band) {
    double curve = error + rate * fabs(rate) / (2 * acceleration);
    if (curve > band)
        return FIRE_NEGATIVE;
    if (curve < -band)
        return FIRE_POSITIVE;
    return COAST;
}

// How long the jets fire before they have to fire the other way, when the error is to vanish in the shortest time.
static double jet_time(double error, double rate, double acceleration) {
    double square = 0.5 * rate * rate + acceleration * error;
    if (square < 0)
        return 0;
    double time = (rate + sqrt(square)) / acceleration;
    return time > 0 ? time : 0;
}

static double choose_acceleration(const struct autopilot *pilot, const struct measurement *input, double rate_error) {
    if (input->jets_failed)
        return TWO_JETS;
    if (fabs(rate_error) > 2 || pilot->mode == RATE_COMMAND)
        return FOUR_JETS;
    return TWO_JETS;
}

// A wide dead band while the engine shakes the vehicle, and a wider one when the jets fired in many periods in a row.
static double choose_band(const struct autopilot *pilot, const struct measurement *input) {
    if (input->engine_on)
        return WIDE_BAND;
    if (pilot->firings > 3)
        return 2 * NARROW_BAND;
    return NARROW_BAND;
}

// One period of the autopilot. Returns the acceleration that the jets will give, with its sign.
static double step(struct autopilot *pilot, const struct measurement *input, double jet_acceleration) {
    estimate(pilot, input, jet_acceleration);
    pilot->on_time = 0;
    if (pilot->mode == IDLE)
        return 0;
    follow_stick(pilot, input);
    double error = pilot->attitude - pilot->desired;
    double rate_error = pilot->rate - pilot->desired_rate;
    double acceleration = choose_acceleration(pilot, input, rate_error);
    double band = choose_band(pilot, input);
    enum zone zone = find_zone(error, rate_error, acceleration, band);
    if (zone == FIRE_NEGATIVE) {
        pilot->on_time = jet_time(error - band, rate_error, acceleration + pilot->offset);
        acceleration = -acceleration;
    } else if (zone == FIRE_POSITIVE) {
        pilot->on_time = jet_time(-error - band, -rate_error, acceleration - pilot->offset);
    }
    if (pilot->on_time > 0 && pilot->on_time < SHORTEST_PULSE) {
        pilot->on_time = SHORTEST_PULSE;
        pilot->minimum_pulses++;
    }
    if (zone == COAST) {
        pilot->firings = 0;
        return 0;
    }
    pilot->firings++;
    return acceleration;
}

int main(void) {
    struct autopilot pilot = {.mode = ATTITUDE_HOLD};
    double jet_acceleration = 0;
    for (int i = 0; i < STEPS; i++) {
        struct measurement input;
        input.attitude = symcrete_double("attitude");
        input.stick = symcrete_double("stick");
        input.engine_on = symcrete_bool("engine_on");
        input.jets_failed = symcrete_bool("jets_failed");
        jet_acceleration = step(&pilot, &input, jet_acceleration);
        if (pilot.on_time > THRESHOLD)
            observer_failed();
    }
    return pilot.minimum_pulses;
}
