// Dates and seconds, without the limits of time_t.
#ifndef SYMCRETE_CALENDAR_H
#define SYMCRETE_CALENDAR_H

#include <time.h>

// Days from 1970-01-01 to the first day of a month; `month` counts from 0 and may be out of range.
long long __symcrete_days_before(long long year, long long month);

// Fills in a broken-down time in UTC; returns 0 if the year does not fit.
int __symcrete_break_down(long long seconds, struct tm *out);

// The seconds since 1970 that a broken-down time in UTC stands for; fields may be out of range.
long long __symcrete_seconds(const struct tm *time);

// The text of asctime; null if it does not fit.
char *__symcrete_calendar_text(const struct tm *time, char *out, size_t size);

#endif
