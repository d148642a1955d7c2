// Classes, virtual calls, exceptions, templates, lambdas, references, static initialisation.
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {
class Shape {
public:
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual const char *name() const { return "shape"; }
};

class Circle final : public Shape {
    double radius;

public:
    explicit Circle(double r) : radius(r)
    {
        if (r < 0)
            throw std::invalid_argument("negative radius");
    }
    double area() const override { return 3.25 * radius * radius; }
};

struct Named : virtual Shape {
    std::string label;
    const char *name() const override { return label.c_str(); }
    double area() const override { return 1; }
};
}

struct Guard {
    int &depth;
    explicit Guard(int &d) : depth(d) { ++depth; }
    ~Guard() { --depth; }
};

template <typename T, int N> struct Ring {
    T items[N];
    int at = 0;
    void put(T item) { items[at++ % N] = item; }
};

static int depth;
static std::map<std::string, int> counts{{"one", 1}, {"two", 2}};
thread_local std::string scratch = "fresh";

int risky(int n)
{
    Guard guard(depth);
    if (n > 5)
        throw n;
    if (n < 0)
        throw std::runtime_error(std::to_string(n));
    return n;
}

int careful(int n)
{
    try {
        return risky(n);
    } catch (int caught) {
        return -caught;
    } catch (const std::exception &e) {
        std::puts(e.what());
        throw;
    } catch (...) {
        std::terminate();
    }
}

int limited(int n) noexcept { return careful(n); }

double sum(const std::vector<std::unique_ptr<shapes::Shape>> &all)
{
    double total = 0;
    for (const auto &shape : all)
        total += shape->area();
    return total;
}

int main(int argc, char **)
{
    std::vector<std::unique_ptr<shapes::Shape>> all;
    all.push_back(std::make_unique<shapes::Circle>(argc));
    all.push_back(std::make_unique<shapes::Named>());
    Ring<int, 4> ring{};
    auto add = [&ring, argc](int by) mutable { ring.put(argc += by); };
    for (auto &[key, value] : counts)
        add(value);
    if (auto *circle = dynamic_cast<shapes::Circle *>(all[0].get()))
        std::printf("%s %f\n", circle->name(), sum(all));
    return limited(argc) + ring.items[0] + static_cast<int>(scratch.size());
}
