#pragma once
#include <errno.h>
#include <iconv.h>

/// Opens a conversion to UTF-8. Returns a null pointer for an unknown encoding; `iconv_open` returns -1, which
/// Swift cannot compare with a pointer.
static inline void *imgdl_iconv_open(const char *from) {
  iconv_t conversion = iconv_open("UTF-8", from);
  return conversion == (iconv_t)-1 ? (void *)0 : conversion;
}

/// Opens a conversion from UTF-8. Returns a null pointer for an unknown encoding.
static inline void *imgdl_iconv_open_to(const char *to) {
  iconv_t conversion = iconv_open(to, "UTF-8");
  return conversion == (iconv_t)-1 ? (void *)0 : conversion;
}

static inline void imgdl_iconv_close(void *conversion) { iconv_close((iconv_t)conversion); }

/// Converts as many bytes as possible. Returns 0, or the error: E2BIG, EILSEQ or EINVAL (iconv(3)).
static inline int imgdl_iconv(
    void *conversion, char **in, size_t *in_left, char **out, size_t *out_left) {
  return iconv((iconv_t)conversion, in, in_left, out, out_left) == (size_t)-1 ? errno : 0;
}
