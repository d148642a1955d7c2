// Is it a date? Day, month and whether the year is a leap year, from two bytes.
// paths: 14
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static int is_leap_year(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int days_of(int month, int year) {
    switch (month) {
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    case 2:
        return is_leap_year(year) ? 29 : 28;
    default:
        return 31;
    }
}

int main(void) {
    unsigned char day, month;
    klee_make_symbolic(&day, sizeof day, "day");
    klee_make_symbolic(&month, sizeof month, "month");
    if (month < 1 || month > 12)
        return 1;
    if (day < 1 || day > days_of(month, 1900 + day * 4))
        return 2;
    if (day == 29 && month == 2)
        return 3;
    return 0;
}
