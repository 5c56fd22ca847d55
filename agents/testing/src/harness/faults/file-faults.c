/*
 * Preloaded into an agent (LD_PRELOAD): makes calls on files fail and shifts the wall clock, as directed by the control
 * file that FILE_FAULTS_CONTROL names. The file is mapped, so a change takes effect with the next call of every process.
 *
 *     bytes 0..3     the active slot: 0 for none, 1 or 2
 *     bytes 8..15    milliseconds by which the wall clock is ahead
 *     bytes 16..23   calls that have failed, counted here
 *     bytes 4096..   slot 1, and at 8192 slot 2: one rule per line, then a zero
 *
 * A rule is `MODE ERRNO PART`. MODE is read, write, sync or open; PART is part of the file's path and comes last because
 * it may contain blanks. The inactive slot is written before it is activated, so no partial rule is seen.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SLOT_BYTES 4096
#define CONTROL_BYTES (3 * SLOT_BYTES)

static char *control;

__attribute__((constructor)) static void map_control(void) {
  const char *path = getenv("FILE_FAULTS_CONTROL");
  if (path == NULL) return;
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int fd = real_open(path, O_RDWR | O_CLOEXEC);
  void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) {
    fprintf(stderr, "file-faults: %s cannot be mapped: %s.\n", path, strerror(errno));
    abort();
  }
  close(fd);
  control = mapped;
}

static const char *rules_in_force(void) {
  if (control == NULL) return NULL;
  uint32_t slot = __atomic_load_n((uint32_t *)control, __ATOMIC_ACQUIRE);
  return slot == 1 || slot == 2 ? control + slot * SLOT_BYTES : NULL;
}

/* Returns the error for a call of this mode on this path; 0 if the call is to be executed. */
static int error_of(const char *rules, const char *mode, const char *path) {
  const size_t mode_length = strlen(mode);
  for (const char *line = rules; *line != 0;) {
    const char *end = strchrnul(line, '\n');
    if (strncmp(line, mode, mode_length) == 0 && line[mode_length] == ' ') {
      char *part;
      long error = strtol(line + mode_length, &part, 10);
      part += 1;
      if (end > part && memmem(path, strlen(path), part, end - part) != NULL) {
        __atomic_add_fetch((uint64_t *)(control + 16), 1, __ATOMIC_RELAXED);
        return error;
      }
    }
    line = *end == 0 ? end : end + 1;
  }
  return 0;
}

static int error_of_open(const char *path) {
  const char *rules = rules_in_force();
  return rules == NULL || path == NULL ? 0 : error_of(rules, "open", path);
}

/* The folder itself is named without a slash at its end, and rules name it with one. */
static int error_of_folder(const char *path) {
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s/", path);
  return error_of_open(folder);
}

static int error_of_descriptor(const char *mode, int fd) {
  const char *rules = rules_in_force();
  if (rules == NULL) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  int error = error_of(rules, mode, path);
  if (error != 0 || strcmp(mode, "write") != 0) return error;
  /* A write that is durable when it returns is a sync as well. */
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_DSYNC) != 0 ? error_of(rules, "sync", path) : 0;
}

#define FAIL_OR_CALL(error, type, name, ...)               \
  do {                                                     \
    int failure = (error);                                 \
    if (failure != 0) {                                    \
      errno = failure;                                     \
      return -1;                                           \
    }                                                      \
    static type(*real);                                    \
    if (real == NULL) real = (type(*))dlsym(RTLD_NEXT, name); \
    return real(__VA_ARGS__);                              \
  } while (0)

#define ON_DESCRIPTOR(mode, result, name, parameters, ...)                          \
  result name parameters {                                                          \
    typedef result call parameters;                                                 \
    FAIL_OR_CALL(error_of_descriptor(mode, fd), call, #name, __VA_ARGS__);          \
  }

ON_DESCRIPTOR("read", ssize_t, read, (int fd, void *to, size_t count), fd, to, count)
ON_DESCRIPTOR("read", ssize_t, readv, (int fd, const struct iovec *to, int count), fd, to, count)
ON_DESCRIPTOR("read", ssize_t, pread, (int fd, void *to, size_t count, off_t at), fd, to, count, at)
ON_DESCRIPTOR("read", ssize_t, pread64, (int fd, void *to, size_t count, off64_t at), fd, to, count, at)
ON_DESCRIPTOR("read", ssize_t, preadv, (int fd, const struct iovec *to, int count, off_t at), fd, to, count, at)
ON_DESCRIPTOR("read", ssize_t, preadv64, (int fd, const struct iovec *to, int count, off64_t at), fd, to, count, at)
ON_DESCRIPTOR("write", ssize_t, write, (int fd, const void *from, size_t count), fd, from, count)
ON_DESCRIPTOR("write", ssize_t, writev, (int fd, const struct iovec *from, int count), fd, from, count)
ON_DESCRIPTOR("write", ssize_t, pwrite, (int fd, const void *from, size_t count, off_t at), fd, from, count, at)
ON_DESCRIPTOR("write", ssize_t, pwrite64, (int fd, const void *from, size_t count, off64_t at), fd, from, count, at)
ON_DESCRIPTOR("write", ssize_t, pwritev, (int fd, const struct iovec *from, int count, off_t at), fd, from, count, at)
ON_DESCRIPTOR("write", ssize_t, pwritev64, (int fd, const struct iovec *from, int count, off64_t at), fd, from, count, at)
ON_DESCRIPTOR("sync", int, fsync, (int fd), fd)
ON_DESCRIPTOR("sync", int, fdatasync, (int fd), fd)

#define OPENS(name)                                                                  \
  int name(const char *path, int flags, ...) {                                       \
    typedef int call(const char *, int, ...);                                        \
    mode_t mode = 0;                                                                 \
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {                                      \
      va_list more;                                                                  \
      va_start(more, flags);                                                         \
      mode = va_arg(more, mode_t);                                                   \
      va_end(more);                                                                  \
    }                                                                                \
    FAIL_OR_CALL(error_of_open(path), call, #name, path, flags, mode);               \
  }

OPENS(open)
OPENS(open64)

#define LISTS(name, entry)                                                                                     \
  int name(const char *path, struct entry ***found, int (*filter)(const struct entry *),                       \
           int (*compare)(const struct entry **, const struct entry **)) {                                     \
    typedef int call(const char *, struct entry ***, int (*)(const struct entry *),                            \
                     int (*)(const struct entry **, const struct entry **));                                   \
    FAIL_OR_CALL(error_of_folder(path), call, #name, path, found, filter, compare);                            \
  }

LISTS(scandir, dirent)
LISTS(scandir64, dirent64)

static int64_t clock_ahead_ms(void) {
  return control == NULL ? 0 : __atomic_load_n((int64_t *)(control + 8), __ATOMIC_RELAXED);
}

/* The wall clock only: intervals are measured with other clocks, which no step of the wall clock moves. */
int clock_gettime(clockid_t id, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, now);
  int64_t ahead_ms = clock_ahead_ms();
  if (result != 0 || ahead_ms == 0 || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return result;
  int64_t ns = now->tv_sec * 1000000000LL + now->tv_nsec + ahead_ms * 1000000LL;
  now->tv_sec = ns / 1000000000LL;
  now->tv_nsec = ns % 1000000000LL;
  return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec wall;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &wall) != 0) return -1;
  now->tv_sec = wall.tv_sec;
  now->tv_usec = wall.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec wall;
  if (clock_gettime(CLOCK_REALTIME, &wall) != 0) return -1;
  if (out != NULL) *out = wall.tv_sec;
  return wall.tv_sec;
}
