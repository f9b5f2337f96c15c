/* Functions of the C library that have no model are inputs, and leave the rest as it is. */
#include <arpa/inet.h>
#include <dirent.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int leap_day(time_t t)
{
    struct tm *m = localtime(&t);
    if (!m)
        return -1;
    if (m->tm_mon == 1 && m->tm_mday == 29)
        return 1;
    return 0;
}

int stamp(time_t t)
{
    struct tm b;
    char s[32];
    if (!gmtime_r(&t, &b))
        return -1;
    if (strftime(s, sizeof s, "%Y", &b) == 4 && s[0] == '2')
        return 1;
    return 0;
}

int large(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return -1;
    if (st.st_size > 1000000)
        return 1;
    return 0;
}

int root(const char *name)
{
    struct passwd *p = getpwnam(name);
    if (!p)
        return -1;
    if (p->pw_uid == 0)
        return 1;
    return 0;
}

int any_address(const char *s)
{
    struct in_addr a;
    if (!inet_aton(s, &a))
        return -1;
    if (a.s_addr == 0)
        return 1;
    return 0;
}

int hidden_first(const char *name)
{
    DIR *d = opendir(name);
    if (!d)
        return -1;
    struct dirent *e = readdir(d);
    if (e && e->d_name[0] == '.')
        return 1;
    return 0;
}

int at_top(void)
{
    char b[64];
    if (!getcwd(b, sizeof b))
        return -1;
    if (strcmp(b, "/") == 0)
        return 1;
    return 0;
}
