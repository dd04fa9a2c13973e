#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <iconv.h>
#include <string.h>

// Functions for macros of C that Swift does not import.
static inline unsigned imgdl_file_type_regular(void) { return AE_IFREG; }
static inline unsigned imgdl_file_type_directory(void) { return AE_IFDIR; }

// `archive_set_error` has variable arguments, so that Swift cannot call it.
static inline void imgdl_archive_set_error(struct archive *archive, int number) {
  archive_set_error(archive, number, "%s", strerror(number));
}

/// Permanently loads the tables for the C library's conversions to the locale's character set, since names in
/// 7z and RAR archives are UTF-16.
static inline void imgdl_prepare_conversions(void) {
  static const char *const names[] = {"UTF-16LE", "UTF-16BE", "CP437", "CP932"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    (void)iconv_open("UTF-8", names[i]);
    (void)iconv_open("UTF-8//TRANSLIT", names[i]);
  }
  struct archive_entry *entry = archive_entry_new();
  if (!entry) return;
  archive_entry_set_pathname_utf8(entry, "\xc3\xbc");
  (void)archive_entry_pathname(entry);
  (void)archive_entry_pathname_w(entry);
  archive_entry_free(entry);
}
