#include <fcntl.h>
#include <regex.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int ticks(void)
{
    struct tms now;
    clock_t since = times(&now);
    if (since == (clock_t)-1)
        return -1;
    if (now.tms_utime > 100)
        return 1;
    return 0;
}

int usage(void)
{
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used))
        return -1;
    return used.ru_nswap > 3 ? 1 : 0;
}

int pattern(const char *text)
{
    regex_t regex;
    int error = regcomp(&regex, text, REG_EXTENDED);
    if (error == REG_BADPAT)
        return 2;
    if (error)
        return 1;
    regfree(&regex);
    return 0;
}

int ready(void)
{
    fd_set set;
    struct timeval wait = {1, 0};
    int n;
    FD_ZERO(&set);
    FD_SET(3, &set);
    n = select(4, &set, 0, 0, &wait);
    if (n <= 0)
        return n < 0 ? -1 : 0;
    return FD_ISSET(3, &set) ? 1 : 2;
}

int device(const char *path)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return -1;
    if (ioctl(fd, 1) < 0)
        return -2;
    if (fcntl(fd, F_GETFL) == 7)
        return 3;
    close(fd);
    return 0;
}

int afternoon(time_t when)
{
    struct tm *local = localtime(&when);
    if (!local)
        return -1;
    if (local->tm_hour >= 12)
        return 1;
    return 0;
}

int shell(void)
{
    if (system("true") != 0)
        return -1;
    return 0;
}

int child(int pid)
{
    static int calls;
    int status = 0;
    if (waitpid(pid, &status, 0) < 0)
        exit(3);
    calls++;
    return status == 256 ? 1 : 0;
}
