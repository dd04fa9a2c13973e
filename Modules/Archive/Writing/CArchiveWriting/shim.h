#pragma once
// The functions of libarchive that write. The library brings ten others, which would delay the start of every program
// by 1.5 ms; it is therefore not linked but opened by name, and a program that writes no archive never loads it.
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>

#define IMGDL_ARCHIVE_FUNCTIONS(F)                                                   \
  F(archive_write_new) F(archive_write_free) F(archive_write_close)                  \
  F(archive_write_set_format_zip) F(archive_write_zip_set_compression_store)         \
  F(archive_write_set_format_pax_restricted) F(archive_write_open_filename)          \
  F(archive_write_header) F(archive_write_data) F(archive_write_finish_entry)        \
  F(archive_entry_new) F(archive_entry_free) F(archive_entry_set_pathname_utf8)      \
  F(archive_entry_set_filetype) F(archive_entry_set_perm) F(archive_entry_set_size)  \
  F(archive_entry_set_mtime) F(archive_error_string) F(archive_errno)

/// The functions of the open library, each under its own name.
typedef struct {
#define IMGDL_FIELD(name) __typeof__(&name) name;
  IMGDL_ARCHIVE_FUNCTIONS(IMGDL_FIELD)
#undef IMGDL_FIELD
} imgdl_archive_writing;

/// Opens the library. Returns NULL, or the reason why it cannot be opened, valid until the next call.
static inline const char *imgdl_archive_writing_open(imgdl_archive_writing *functions) {
  void *library = dlopen("libarchive.so.13", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define IMGDL_LOOK_UP(name)                                    \
  functions->name = (__typeof__(&name))dlsym(library, #name); \
  if (!functions->name) return dlerror();
  IMGDL_ARCHIVE_FUNCTIONS(IMGDL_LOOK_UP)
#undef IMGDL_LOOK_UP
  return 0;
}

// A function for a macro that Swift does not import.
static inline unsigned imgdl_regular_file(void) { return AE_IFREG; }
