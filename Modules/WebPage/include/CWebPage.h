#pragma once
#include <stddef.h>

/// A file of the web page, as it lies in the folder Files.
struct imgdl_page_file {
  /// The name with its extension.
  const char *name;
  const unsigned char *bytes;
  size_t length;
};

/// Returns a file by its index, from 0; NULL behind the last one.
const struct imgdl_page_file *imgdl_page_file(size_t index);
