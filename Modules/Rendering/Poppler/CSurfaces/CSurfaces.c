#include "CSurfaces.h"

#include <cairo/cairo.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

// poppler leaves out an image without an error if cairo cannot hold it or its mask. It makes one image surface for each
// image and mask, wherever the page has it, so that their sizes tell whether something is missing. The linker exports
// this function from the program (see Package.swift), and the dynamic linker binds the calls of all libraries that are
// opened later to it, since symbols of the program come first.

static _Thread_local imgdl_surfaces surfaces;

imgdl_surfaces imgdl_take_surfaces(void) {
  imgdl_surfaces result = surfaces;
  surfaces = (imgdl_surfaces){0, 0};
  return result;
}

typedef cairo_surface_t *(*creation)(cairo_format_t, int, int);

/// Returns the function of cairo. The library is open already, because its caller is linked with it.
static creation function_of_cairo(void) {
  static _Atomic(creation) found;
  creation function = atomic_load(&found);
  if (function) return function;
  void *library = dlopen("libcairo.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return NULL;
  function = (creation)dlsym(library, "cairo_image_surface_create");
  atomic_store(&found, function);
  return function;
}

cairo_surface_t *cairo_image_surface_create(cairo_format_t format, int width, int height) {
  long long pixels = (long long)width * height;
  if (width > surfaces.side) surfaces.side = width;
  if (height > surfaces.side) surfaces.side = height;
  if (pixels > surfaces.pixels) surfaces.pixels = pixels;
  creation function = function_of_cairo();
  return function ? function(format, width, height) : NULL;
}
