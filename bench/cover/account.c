/* Structs by pointer: an account with limits, a transfer between two, a list. */

struct limits {
    int overdraft;
    int per_day;
};

struct account {
    int number;
    int balance;
    int used_today;
    unsigned frozen : 1, verified : 1, grade : 3;
    struct limits limits;
    struct account *partner;
};

int withdraw(struct account *account, int amount)
{
    if (!account || amount <= 0)
        return -1;
    if (account->frozen || !account->verified)
        return -2;
    if (account->balance < -1000000 || account->balance > 1000000 || amount > 1000000)
        return -3;
    if (account->limits.overdraft < 0 || account->limits.overdraft > 100000)
        return -4;
    if (account->used_today < 0 || account->used_today > account->limits.per_day - amount) {
        if (account->grade >= 5)
            return -5;
        return -6;
    }
    if (account->balance - amount < -account->limits.overdraft)
        return -7;
    account->balance -= amount;
    account->used_today += amount;
    if (account->balance < 0)
        return 1;
    return 0;
}

int transfer(struct account *from, struct account *to, int amount)
{
    int result;

    if (!from || !to)
        return -10;
    if (from == to || from->number == to->number)
        return -11;
    result = withdraw(from, amount);
    if (result < 0) {
        if (result == -7)
            return -12;
        return -13;
    }
    if (to->balance > 2147483647 - amount)
        return -14;
    to->balance += amount;
    if (from->balance < -100000)
        return -15; /* dead: the overdraft is at most that */
    return to->balance == 0;
}

int same_partner(const struct account *a)
{
    if (a && a->partner) {
        if (a->partner->partner && a->partner->partner->number == a->number)
            return 2;
        if (a->partner->grade > 7)
            return 3; /* dead: three bits */
        return 1;
    }
    return 0;
}
