// For the size of a symbol.
#define _GNU_SOURCE
#include "CSurfaces.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

// poppler fills the rest of an image whose data ends too early with ones, which mostly are white, and says nothing. Its
// renderers read images by two functions of its class ImageStream, in whose places these ones are called, as the one of
// cairo in CSurfaces.c. Before each row they ask the decoder whether there is a next byte.
//
// The decoder of JPEG answers with the byte at its position without a comparison with the end of its row. Before the
// first row it has no position, and says that there is no byte. Behind that row it is asked once more, which tells
// whether it has decoded anything: this reads the byte behind its row of pixels, and no further one. The row is in a
// block that libjpeg-turbo allocates with more bytes than it needs, so that it can align the row: at least seven are
// behind it. The value of the byte does not matter.

/// A decoder of poppler: an object of C++ with virtual functions.
typedef struct {
  void *const *functions;
} decoder;

/// An object of the class ImageStream, whose first member is the decoder of its data.
typedef struct {
  decoder *data;
} image;

typedef unsigned char *(*row_reader)(image *);
typedef void (*image_opener)(image *, decoder *, int, int, int);

static row_reader read_row;
static image_opener open_image;
/// The place of `int Stream::lookChar()` in the tables of virtual functions, which differs among versions; 0 if it is
/// unknown.
static size_t look;

/// Finds the place in the table of the only class whose table and function have names outside of the library.
static size_t place_of_look(void *library) {
  void *function = dlsym(library, "_ZN11EmbedStream8lookCharEv");
  void *const *table = dlsym(library, "_ZTV11EmbedStream");
  const ElfW(Sym) *symbol = NULL;
  Dl_info info;
  if (!function || !table || !dladdr1(table, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
    return 0;
  // Two other words precede the functions.
  for (size_t index = 2; index < symbol->st_size / sizeof *table; index++)
    if (table[index] == function) return index - 2;
  return 0;
}

static void find_originals(void) {
  // The library is open already, because its functions are the callers. It is linked with the one of the originals.
  void *library = dlopen("libpoppler-glib.so.8", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return;
  read_row = (row_reader)dlsym(library, "_ZN11ImageStream7getLineEv");
  open_image = (image_opener)dlsym(library, "_ZN11ImageStreamC1EP6Streamiii");
  look = place_of_look(library);
}

static once_flag once = ONCE_FLAG_INIT;

static _Thread_local struct {
  /// The image that was opened last; NULL if its decoder is not to be asked.
  const image *image;
  /// The rows that were read, and those of them for which there was no data.
  int rows, missing;
  /// Whether no row was read: the decoder prepares itself.
  int is_opening;
} current;

static _Thread_local imgdl_incomplete_image worst;

static int is_at_end(decoder *data) {
  return ((int (*)(decoder *))data->functions[look])(data) == EOF;
}

void imgdl_open_image(image *self, decoder *data, int width, int components, int bits)
    __asm__("_ZN11ImageStreamC1EP6Streamiii");
void imgdl_open_image(image *self, decoder *data, int width, int components, int bits) {
  call_once(&once, find_originals);
  // A version of poppler without a function of this name does not call it. An object that nobody has constructed must
  // not be used.
  if (!open_image) abort();
  open_image(self, data, width, components, bits);
  current.image = look && self->data == data ? self : NULL;
  current.rows = current.missing = 0;
  current.is_opening = 1;
}

unsigned char *imgdl_read_row(image *self) __asm__("_ZN11ImageStream7getLineEv");
unsigned char *imgdl_read_row(image *self) {
  call_once(&once, find_originals);
  if (!read_row) abort();
  current.is_opening = 0;
  if (self != current.image) return read_row(self);
  int is_missing = is_at_end(self->data);
  unsigned char *row = read_row(self);
  current.rows++;
  if (is_missing && current.rows == 1 && !is_at_end(self->data)) {
    // The decoder of JPEG only answers after the first row, and then does not notice its end.
    current.image = NULL;
    return row;
  }
  if (is_missing && ++current.missing >= worst.missing) {
    worst.rows = current.rows;
    worst.missing = current.missing;
  }
  return row;
}

void imgdl_note_surface(void) { current.is_opening = 0; }

void imgdl_note_decoder_error(void) {
  if (current.is_opening) worst.is_damaged = 1;
}

imgdl_incomplete_image imgdl_take_incomplete_image(void) {
  imgdl_incomplete_image result = worst;
  worst = (imgdl_incomplete_image){0, 0, 0};
  current.is_opening = 0;
  return result;
}
