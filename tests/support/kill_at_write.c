// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

// Loaded before a program (LD_PRELOAD), this kills it at the write to a place of a file whose number
// the variable KILL_AT_WRITE says: so a test meets every moment at which a file is half written.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

typedef ssize_t (*Write)(int, const void*, size_t, off_t);

static void count_write(void) {
  static long writes = 0;
  const char* last = getenv("KILL_AT_WRITE");
  if (last && ++writes >= atol(last)) kill(getpid(), SIGKILL);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  count_write();
  return ((Write)dlsym(RTLD_NEXT, "pwrite"))(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off_t at) {
  count_write();
  return ((Write)dlsym(RTLD_NEXT, "pwrite64"))(file, bytes, size, at);
}
