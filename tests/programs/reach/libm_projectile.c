// How far something flies that is thrown at an angle; the target is a distance to be met within a tenth.
#include <math.h>
#include <symcrete.h>

static double range(double speed, double degrees) {
    double radians = degrees * 3.141592653589793 / 180.0;
    return speed * speed * sin(2 * radians) / 9.81;
}

int main(void) {
    double speed = symcrete_double("speed"), degrees = symcrete_double("degrees");
    if (!(speed >= 1 && speed <= 50))
        return 0;
    if (!(degrees >= 10 && degrees <= 80))
        return 0;
    double far = range(speed, degrees);
    if (far > 99.9 && far < 100.1 && degrees > 45)
        return 1; //~ reached
    return 2;
}
