#pragma once
#include <stddef.h>

/// A file of the web page, with the bytes that it has in the folder `Files`.
struct imgdl_page_file {
  /// The file name with its extension, under which the file is served.
  const char *name;
  const unsigned char *bytes;
  size_t length;
};

/// Returns a file by its index, from 0; NULL for an index behind the last file.
const struct imgdl_page_file *imgdl_page_file(size_t index);
