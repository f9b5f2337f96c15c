/* Dates of the Gregorian calendar. */

int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int days_in(int month, int year)
{
    switch (month) {
    case 1: case 3: case 5: case 7: case 8: case 10: case 12:
        return 31;
    case 4: case 6: case 9: case 11:
        return 30;
    case 2:
        if (is_leap(year))
            return 29;
        return 28;
    default:
        return 0;
    }
}

int is_valid(int day, int month, int year)
{
    if (year < 1583 || year > 9999)
        return 0;
    if (month < 1 || month > 12)
        return 0;
    if (day < 1 || day > days_in(month, year))
        return 0;
    return 1;
}

int weekday(int day, int month, int year)
{
    if (!is_valid(day, month, year))
        return -1;
    if (month < 3) {
        month += 12;
        year--;
    }
    return (day + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400) % 7;
}

int special(int day, int month, int year)
{
    int which = weekday(day, month, year);

    if (which < 0)
        return 6;
    if (which == 6 && day == 13)
        return 1;
    if (month == 2 && day == 29) {
        if (year % 100 == 0 && year % 400 != 0)
            return 2; /* dead: no leap year */
        if (which == 0)
            return 3;
        return 4;
    }
    if (day == 1 && month == 1 && year % 400 == 1 && which != 2)
        return 5; /* dead: 400 years are whole weeks, and 2001 began with a Monday */
    if (which > 6)
        return 7; /* dead */
    return 0;
}
