#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

// Macros that Swift does not import.
static inline locale_t imgdl_utf8_locale(void) {
  return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}
static inline unsigned imgdl_file_type_regular(void) { return AE_IFREG; }
static inline unsigned imgdl_file_type_directory(void) { return AE_IFDIR; }
