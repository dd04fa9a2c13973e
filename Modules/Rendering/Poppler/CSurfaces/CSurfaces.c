#include "CSurfaces.h"

#include <cairo/cairo.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

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
  imgdl_note_surface();
  long long pixels = (long long)width * height;
  if (width > surfaces.side) surfaces.side = width;
  if (height > surfaces.side) surfaces.side = height;
  if (pixels > surfaces.pixels) surfaces.pixels = pixels;
  creation function = function_of_cairo();
  return function ? function(format, width, height) : NULL;
}

// Text whose font has no substitute on this machine is missing on a page, about which poppler only writes a message.

enum { name_size = 96 };
static _Thread_local char font[name_size], pack[name_size];
static _Thread_local char taken[2][name_size];

/// Copies the name in quotation marks after a prefix, unless a name is known already.
static void keep(const char *message, const char *prefix, char *name) {
  size_t length = strlen(prefix);
  if (name[0] || strncmp(message, prefix, length)) return;
  message += length;
  size_t count = 0;
  while (count + 1 < name_size && message[count] && message[count] != '\'') {
    name[count] = message[count];
    count++;
  }
  // Another clause after the name means that there is a substitute.
  if (message[count] == '\'' && message[count + 1] == ',') count = 0;
  name[count] = 0;
}

/// The category of errors in a file, above those of warnings.
enum { syntax_error = 1 };

void imgdl_poppler_message(int category, long long position, const char *message) {
  (void)position;
  if (category == syntax_error) imgdl_note_decoder_error();
  if (!message) return;
  keep(message, "Couldn't find a font for '", font);
  keep(message, "Missing language pack for '", pack);
}

static const char *take(char *name, char *result) {
  memcpy(result, name, name_size);
  name[0] = 0;
  return result[0] ? result : NULL;
}

const char *imgdl_take_missing_font(void) { return take(font, taken[0]); }
const char *imgdl_take_missing_pack(void) { return take(pack, taken[1]); }
