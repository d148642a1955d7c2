// ray: a small ray tracer: vectors, spheres that may be of glass, a checkered floor, a point light and a directional
// light, shadows, Phong shading, reflection and refraction up to a fixed depth. The ray, one sphere with its material
// and the point light are inputs, the rest of the scene is fixed. Written anew after the description in section 5 of
// the Concolic Walk paper ("a simple ray tracing renderer", polynomials of dot products).
// Measure: branches, 86. All can be reached: random inputs reach every one.
#include "target.h"
#include <math.h>

enum { SPHERES = 2, LIGHTS = 2, MAX_DEPTH = 2 };

static const double EPSILON = 1e-6;
static const double FAR_AWAY = 1e9;

struct vector {
    double x, y, z;
};

struct ray {
    struct vector origin;
    struct vector direction;
};

struct material {
    struct vector color;
    double ambient;
    double diffuse;
    double specular;
    double shininess;
    double reflectance;
    double transparency;
    double refraction;
};

struct sphere {
    struct vector center;
    double radius;
    struct material material;
};

struct floor {
    double height;
    struct material light_tile;
    struct material dark_tile;
};

enum light_kind { DIRECTIONAL, POINT };

struct light {
    enum light_kind kind;
    struct vector place;
    double intensity;
};

struct scene {
    struct sphere spheres[SPHERES];
    struct floor floor;
    struct light lights[LIGHTS];
    struct vector background;
    double fog_start;
};

struct hit {
    double distance;
    struct vector point;
    struct vector normal;
    const struct material *material;
    int inside;
};

static struct vector vector(double x, double y, double z) {
    return (struct vector){x, y, z};
}

static struct vector add(struct vector a, struct vector b) {
    return vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

static struct vector subtract(struct vector a, struct vector b) {
    return vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

static struct vector scale(struct vector a, double factor) {
    return vector(a.x * factor, a.y * factor, a.z * factor);
}

static double dot(struct vector a, struct vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length(struct vector a) {
    return sqrt(dot(a, a));
}

static struct vector mirror(struct vector direction, struct vector normal) {
    return subtract(direction, scale(normal, 2 * dot(direction, normal)));
}

// Snell's law; `ratio` is the index of refraction on this side, divided by that on the other. No direction if all light
// is reflected.
static int bend(struct vector direction, struct vector normal, double ratio, struct vector *bent) {
    double cosine = -dot(direction, normal);
    double squared = 1 - ratio * ratio * (1 - cosine * cosine);
    if (squared < 0)
        return 0;
    *bent = add(scale(direction, ratio), scale(normal, ratio * cosine - sqrt(squared)));
    return 1;
}

static struct vector along(const struct ray *ray, double distance) {
    return add(ray->origin, scale(ray->direction, distance));
}

// Where the ray meets the sphere: the smaller root of the quadratic equation, the larger one for a ray from inside.
static double meet_sphere(const struct sphere *sphere, const struct ray *ray) {
    struct vector to_center = subtract(sphere->center, ray->origin);
    double middle = dot(to_center, ray->direction);
    double squared = dot(to_center, to_center);
    double radius = sphere->radius * sphere->radius;
    if (squared > radius && middle < 0)
        return FAR_AWAY;
    double discriminant = radius - squared + middle * middle;
    if (discriminant < 0)
        return FAR_AWAY;
    double half_chord = sqrt(discriminant);
    if (middle - half_chord > EPSILON)
        return middle - half_chord;
    if (middle + half_chord > EPSILON)
        return middle + half_chord;
    return FAR_AWAY;
}

static double meet_floor(const struct floor *floor, const struct ray *ray) {
    if (fabs(ray->direction.y) < EPSILON)
        return FAR_AWAY;
    double distance = (floor->height - ray->origin.y) / ray->direction.y;
    if (distance <= EPSILON)
        return FAR_AWAY;
    return distance;
}

static const struct material *tile(const struct floor *ground, struct vector point) {
    double parity = fmod(floor(point.x) + floor(point.z), 2);
    if (parity == 0)
        return &ground->light_tile;
    return &ground->dark_tile;
}

static int find_hit(const struct scene *scene, const struct ray *ray, struct hit *hit) {
    const struct sphere *nearest = 0;
    hit->distance = FAR_AWAY;
    for (int i = 0; i < SPHERES; i++) {
        double distance = meet_sphere(&scene->spheres[i], ray);
        if (distance < hit->distance) {
            hit->distance = distance;
            nearest = &scene->spheres[i];
        }
    }
    double distance = meet_floor(&scene->floor, ray);
    if (distance < hit->distance) {
        hit->distance = distance;
        hit->point = along(ray, distance);
        hit->normal = vector(0, 1, 0);
        hit->material = tile(&scene->floor, hit->point);
        hit->inside = ray->origin.y < scene->floor.height;
        return 1;
    }
    if (nearest == 0)
        return 0;
    hit->point = along(ray, hit->distance);
    hit->normal = scale(subtract(hit->point, nearest->center), 1 / nearest->radius);
    hit->material = &nearest->material;
    hit->inside = dot(hit->normal, ray->direction) > 0;
    if (hit->inside)
        hit->normal = scale(hit->normal, -1);
    return 1;
}

static int in_shadow(const struct scene *scene, struct vector point, struct vector to_light, double distance) {
    struct ray ray = {point, to_light};
    for (int i = 0; i < SPHERES; i++)
        if (meet_sphere(&scene->spheres[i], &ray) < distance)
            return 1;
    return 0;
}

// The light that one source throws to the viewer: Lambert's cosine law, and Phong's highlight.
static double illuminate(const struct scene *scene, const struct light *light, const struct hit *hit,
                         struct vector viewing) {
    struct vector to_light = light->place;
    double distance = FAR_AWAY, intensity = light->intensity;
    if (light->kind == POINT) {
        to_light = subtract(light->place, hit->point);
        distance = length(to_light);
        if (distance < EPSILON)
            return intensity;
        to_light = scale(to_light, 1 / distance);
        intensity /= 1 + 0.01 * distance * distance;
    }
    double cosine = dot(to_light, hit->normal);
    if (cosine <= 0 || in_shadow(scene, hit->point, to_light, distance))
        return 0;
    double received = hit->material->diffuse * cosine;
    double highlight = dot(mirror(viewing, hit->normal), to_light);
    if (hit->material->specular > 0 && highlight > 0)
        received += hit->material->specular * pow(highlight, hit->material->shininess);
    return received * intensity;
}

static struct vector trace(const struct scene *scene, const struct ray *ray, int depth);

static struct vector mix(struct vector a, struct vector b, double share) {
    return add(scale(a, 1 - share), scale(b, share));
}

static struct vector reflect(const struct scene *scene, const struct ray *ray, const struct hit *hit, int depth) {
    struct ray reflected = {hit->point, mirror(ray->direction, hit->normal)};
    return trace(scene, &reflected, depth + 1);
}

static struct vector transmit(const struct scene *scene, const struct ray *ray, const struct hit *hit, int depth) {
    double ratio = hit->inside ? hit->material->refraction : 1 / hit->material->refraction;
    struct ray bent = {hit->point, ray->direction};
    if (!bend(ray->direction, hit->normal, ratio, &bent.direction))
        return reflect(scene, ray, hit, depth);
    return trace(scene, &bent, depth + 1);
}

static struct vector trace(const struct scene *scene, const struct ray *ray, int depth) {
    struct hit hit;
    if (!find_hit(scene, ray, &hit))
        return scene->background;
    double received = hit.material->ambient;
    for (int i = 0; i < LIGHTS; i++)
        received += illuminate(scene, &scene->lights[i], &hit, ray->direction);
    struct vector color = scale(hit.material->color, received);
    if (depth >= MAX_DEPTH)
        return color;
    if (hit.material->transparency > 0)
        color = mix(color, transmit(scene, ray, &hit, depth), hit.material->transparency);
    if (hit.material->reflectance > 0)
        color = mix(color, reflect(scene, ray, &hit, depth), hit.material->reflectance);
    if (hit.distance > scene->fog_start)
        color = mix(color, scene->background, 1 - exp((scene->fog_start - hit.distance) / 50));
    return color;
}

static int channel(double value) {
    if (value > 1)
        return 255;
    if (!(value > 0))
        return 0;
    return (int)(value * 255);
}

static unsigned pixel(struct vector color) {
    int red = channel(color.x), green = channel(color.y), blue = channel(color.z);
    return (unsigned)(red << 16 | green << 8 | blue);
}

static struct scene build_scene(struct sphere sphere, struct light light) {
    struct scene scene = {
        .spheres = {{vector(1, 1, 6), 1, {vector(0.9, 0.2, 0.2), 0.1, 0.7, 0.3, 20, 0.3, 0, 1}}, sphere},
        .floor =
            {
                .height = 0,
                .light_tile = {vector(0.9, 0.9, 0.9), 0.1, 0.8, 0, 1, 0.2, 0, 1},
                .dark_tile = {vector(0.1, 0.1, 0.1), 0.1, 0.8, 0, 1, 0, 0, 1},
            },
        .lights = {{DIRECTIONAL, vector(0.6, 0.8, 0), 0.4}, light},
        .background = vector(0.3, 0.5, 0.8),
        .fog_start = 20,
    };
    return scene;
}

static int is_valid(const struct sphere *sphere) {
    const struct material *material = &sphere->material;
    if (!(sphere->radius > 0.01 && sphere->radius < 100))
        return 0;
    if (!(material->reflectance >= 0 && material->reflectance <= 1))
        return 0;
    if (!(material->transparency >= 0 && material->transparency <= 1))
        return 0;
    return material->shininess >= 1 && material->shininess <= 128;
}

static unsigned render(struct ray ray, struct sphere sphere, struct light light) {
    double size = length(ray.direction);
    if (!is_valid(&sphere) || !(size > EPSILON && size < FAR_AWAY))
        return 0xff000000;
    ray.direction = scale(ray.direction, 1 / size);
    struct scene scene = build_scene(sphere, light);
    return pixel(trace(&scene, &ray, 0));
}

static struct vector symbolic_vector(const char *x, const char *y, const char *z) {
    struct vector result;
    result.x = symcrete_double(x);
    result.y = symcrete_double(y);
    result.z = symcrete_double(z);
    return result;
}

int main(void) {
    struct ray ray;
    ray.origin = symbolic_vector("origin.x", "origin.y", "origin.z");
    ray.direction = symbolic_vector("direction.x", "direction.y", "direction.z");
    struct sphere sphere;
    sphere.center = symbolic_vector("center.x", "center.y", "center.z");
    sphere.radius = symcrete_double("radius");
    sphere.material = (struct material){vector(0.2, 0.4, 0.9), 0.1, 0.6, 0, 1, 0, 0, 1.5};
    sphere.material.specular = symcrete_double("specular");
    sphere.material.shininess = symcrete_double("shininess");
    sphere.material.reflectance = symcrete_double("reflectance");
    sphere.material.transparency = symcrete_double("transparency");
    struct light light = {POINT, vector(0, 0, 0), 0.9};
    light.place = symbolic_vector("light.x", "light.y", "light.z");
    unsigned color = render(ray, sphere, light);
    return (int)(color & 0xff);
}
