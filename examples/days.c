// The length of a month. The first program of the tutorial.
#include <stdbool.h>
#include <stdlib.h>

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_in_month(int year, int month)
{
    if (month < 1 || month > 12)
        return 0;
    int days = 31;
    if (month == 2)
        days = is_leap(year) ? 29 : 28;
    else if (month == 4 || month == 6 || month == 9 || month == 11)
        days = 30;
    if (days < 28)
        abort();
    return days;
}
