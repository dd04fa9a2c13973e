#pragma once
#include <turbojpeg.h>
#include <jconfig.h>

/// Returns the version at compile time, because the library does not report its version.
#define IMGDL_TEXT(value) #value
#define IMGDL_EXPANDED(value) IMGDL_TEXT(value)
static inline const char *imgdl_turbojpeg_version(void) {
  return IMGDL_EXPANDED(LIBJPEG_TURBO_VERSION);
}
