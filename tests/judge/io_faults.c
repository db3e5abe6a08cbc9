/* Fails the n-th write, sync, truncation or rename on files of a store; see io_faults.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { WRITE = 1, SYNC = 2, RENAME = 4, TRUNCATE = 8 };

static int watched, nth, for_good, error_number, count;

void fault_arm(int calls, int n, int forever, int error)
{
    watched = calls, nth = n, for_good = forever, error_number = error, count = 0;
}

int fault_count(void) { return count; }

static int strikes(int call)
{
    if (!(watched & call)) return 0;
    count++;
    return nth && (count == nth || (for_good && count > nth));
}

static int of_store(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, ".sqlite") != NULL;
}

/* Error 0: half of it is written, which a caller has to notice. */
#define WRITING(name, offset)                                                             \
    ssize_t name(int fd, const void *data, size_t size, offset at)                        \
    {                                                                                     \
        ssize_t (*real)(int, const void *, size_t, offset) = dlsym(RTLD_NEXT, #name);     \
        if (!of_store(fd) || !strikes(WRITE)) return real(fd, data, size, at);            \
        if (!error_number) return real(fd, data, size / 2, at);                           \
        errno = error_number;                                                             \
        return -1;                                                                        \
    }
WRITING(pwrite, off_t)
WRITING(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t size)
{
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    if (!of_store(fd) || !strikes(WRITE)) return real(fd, data, size);
    if (!error_number) return real(fd, data, size / 2);
    errno = error_number;
    return -1;
}

#define ON_FILE(name, call, parameters, arguments)                                        \
    int name parameters                                                                   \
    {                                                                                     \
        int(*real) parameters = dlsym(RTLD_NEXT, #name);                                  \
        if (!of_store(fd) || !strikes(call)) return real arguments;                       \
        errno = error_number ? error_number : EIO;                                        \
        return -1;                                                                        \
    }
ON_FILE(fsync, SYNC, (int fd), (fd))
ON_FILE(fdatasync, SYNC, (int fd), (fd))
ON_FILE(ftruncate, TRUNCATE, (int fd, off_t size), (fd, size))
ON_FILE(ftruncate64, TRUNCATE, (int fd, off64_t size), (fd, size))

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    if (!strstr(from, ".sqlite") || !strikes(RENAME)) return real(from, to);
    errno = error_number ? error_number : EIO;
    return -1;
}
