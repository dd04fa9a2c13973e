#pragma once
#include <sqlite3.h>

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
