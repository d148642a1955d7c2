/* Structures, unions, bit fields, nested and self-referring types, passing and returning them by value. */
#include <stddef.h>

struct point {
    int x, y;
};

struct shape {
    char tag;
    union {
        struct point corner;
        double radius;
        unsigned char raw[12];
    } as;
    struct shape *next;
    struct point outline[3];
};

struct flags {
    unsigned ready : 1;
    signed level : 5;
    unsigned long long wide : 37;
    unsigned : 0;
    unsigned char tail : 3;
};

#pragma pack(push, 1)
struct packed {
    char a;
    int b;
    short c;
};
#pragma pack(pop)

struct incomplete;
extern struct incomplete *opaque_handle(struct incomplete *);
extern struct incomplete hidden_object;

struct large {
    long words[9];
};

struct mutual_b;
struct mutual_a {
    struct mutual_b *other;
    int n;
};
struct mutual_b {
    struct mutual_a pair[2];
    struct mutual_a *(*make)(struct mutual_b *, struct point);
};

struct point add(struct point a, struct point b)
{
    struct point sum = {a.x + b.x, a.y + b.y};
    return sum;
}

struct large grow(struct large in, int by)
{
    for (size_t i = 0; i < sizeof in.words / sizeof *in.words; i++)
        in.words[i] += by;
    return in;
}

int total(const struct shape *s)
{
    int sum = 0;
    for (; s; s = s->next) {
        switch (s->tag) {
        case 'c': sum += s->as.corner.x + s->as.corner.y; break;
        case 'r': sum += (int)s->as.radius; break;
        default: sum += s->as.raw[s->tag & 7];
        }
        sum += s->outline[1].y;
    }
    return sum;
}

int set_flags(struct flags *f, int level)
{
    f->ready = 1;
    f->level = level;
    f->wide += 3;
    f->tail = ~f->tail;
    return f->level + f->ready + (int)f->wide;
}

int unpack(struct packed p) { return p.a + p.b + p.c; }

struct mutual_a *use(struct mutual_b *b) { return b->make(b, (struct point){1, 2})->other->pair + 1; }

void *handle(void) { return opaque_handle(&hidden_object); }

struct large doubled(struct large in) { return grow(grow(in, 1), -1); }
