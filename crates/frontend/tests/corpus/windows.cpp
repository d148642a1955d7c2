// Exceptions of another system, which have instructions of their own.
// flags: --target=x86_64-pc-windows-msvc -fexceptions -fcxx-exceptions
struct Guard {
    ~Guard();
};
int risky(int);

int careful(int n)
{
    Guard outer;
    try {
        Guard inner;
        return risky(n);
    } catch (int caught) {
        return caught;
    } catch (...) {
        risky(0);
    }
    return 1;
}
