#pragma once
#include <turbojpeg.h>
#include <jconfig.h>

/// The version that this was built with: the library cannot be asked.
#define IMGDL_TEXT(value) #value
#define IMGDL_EXPANDED(value) IMGDL_TEXT(value)
static inline const char *imgdl_turbojpeg_version(void) {
  return IMGDL_EXPANDED(LIBJPEG_TURBO_VERSION);
}
