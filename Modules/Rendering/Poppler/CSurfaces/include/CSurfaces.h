#pragma once

/// The image surfaces that libraries have asked cairo for. Those that cairo refused count as well.
typedef struct {
  /// The longest side in pixels.
  int side;
  /// The number of pixels of the largest one.
  long long pixels;
} imgdl_surfaces;

/// Returns the surfaces of this thread since the last call, and forgets them.
imgdl_surfaces imgdl_take_surfaces(void);
