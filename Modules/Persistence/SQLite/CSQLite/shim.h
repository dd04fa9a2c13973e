#pragma once
#include <errno.h>
#include <sqlite3.h>
#include <sys/mman.h>

// SQLITE_TRANSIENT, a cast that Swift does not import, makes SQLite copy the bytes.
static inline int imgdl_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline int imgdl_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

// SQLITE_STATIC makes no copy: the bytes must stay valid as long as the statement is bound to them.
static inline int imgdl_bind_kept_text(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_STATIC);
}

static inline int imgdl_bind_kept_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_STATIC);
}

// `sqlite3_config` takes a variable number of arguments, so Swift cannot call it.
static inline int imgdl_keep_no_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // Linux 5.14
#endif

// Makes the mapped pages of the log's index (the file -shm) writable, for which a copy-on-write file system needs free
// space each time after it has written them to the disk; a store into a page without that space ends the program with
// SIGBUS. The connection must have read the database since it was opened, in write-ahead logging mode, and must not be
// in exclusive locking mode. Returns 0, or the errno of a refusal.
static inline int imgdl_populate_index(sqlite3 *connection) {
  enum { region_size = 32768 };  // of every region of the index, by the file format
  sqlite3_file *file = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  if (!file || !file->pMethods || file->pMethods->iVersion < 2) return 0;
  for (int region = 0;; region++) {
    void volatile *memory = 0;
    if (file->pMethods->xShmMap(file, region, region_size, 0, &memory) != SQLITE_OK || !memory) return 0;
    // EFAULT: a store would raise SIGBUS. Older kernels refuse the advice with EINVAL.
    if (madvise((void *)memory, region_size, MADV_POPULATE_WRITE) != 0 && errno == EFAULT) return ENOSPC;
  }
}
