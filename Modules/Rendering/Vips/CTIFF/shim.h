#pragma once
// libtiff is not linked: libvips, which is opened by name, loads it. The types are those of tiffio.h.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#define IMGDL_TIFF_FUNCTIONS(F)                                                                \
  F(TIFFClientOpen) F(TIFFClose) F(TIFFSetDirectory) F(TIFFNumberOfDirectories) F(TIFFGetField) \
  F(TIFFGetFieldDefaulted) F(TIFFIsTiled) F(TIFFStripSize) F(TIFFTileSize)                      \
  F(TIFFReadEncodedStrip) F(TIFFReadEncodedTile) F(TIFFReadRGBAImageOriented)                   \
  F(TIFFReadRGBAStripExt) F(TIFFReadRGBATileExt) F(TIFFSetField) F(TIFFScanlineSize)            \
  F(TIFFGetStrileOffset) F(TIFFRGBAImageOK)

/// The functions of libtiff, each under its own name. The struct is written once, before threads share it.
typedef struct __attribute__((swift_attr("@Sendable"))) {
#define IMGDL_FIELD(name) __typeof__(&name) name;
  IMGDL_TIFF_FUNCTIONS(IMGDL_FIELD)
#undef IMGDL_FIELD
} imgdl_tiff;

/// Opens libtiff. Returns NULL, or the reason why it cannot be opened; the text is valid until the next call.
static inline const char *imgdl_tiff_open_library(imgdl_tiff *tiff) {
  void *library = dlopen("libtiff.so.6", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libtiff.so.5", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define IMGDL_LOOK_UP(name)                              \
  tiff->name = (__typeof__(&name))dlsym(library, #name); \
  if (!tiff->name) return dlerror();
  IMGDL_TIFF_FUNCTIONS(IMGDL_LOOK_UP)
#undef IMGDL_LOOK_UP
  return 0;
}

// MARK: - A file in memory

typedef struct {
  const uint8_t *bytes;
  uint64_t size, position;
  /// The number of zeros that can be read after the bytes, so that a truncated strip can be decoded.
  uint64_t padding;
} imgdl_tiff_memory;

static inline tmsize_t imgdl_tiff_read(thandle_t handle, void *buffer, tmsize_t count) {
  imgdl_tiff_memory *memory = (imgdl_tiff_memory *)handle;
  uint64_t end = memory->size + memory->padding;
  if (count <= 0 || memory->position >= end) return 0;
  if ((uint64_t)count > end - memory->position) count = (tmsize_t)(end - memory->position);
  uint64_t there = memory->position < memory->size ? memory->size - memory->position : 0;
  if (there > (uint64_t)count) there = (uint64_t)count;
  if (there) memcpy(buffer, memory->bytes + memory->position, (size_t)there);
  memset((uint8_t *)buffer + there, 0, (size_t)count - (size_t)there);
  memory->position += (uint64_t)count;
  return count;
}
static inline tmsize_t imgdl_tiff_write(thandle_t handle, void *buffer, tmsize_t count) {
  (void)handle, (void)buffer, (void)count;
  return -1;
}
static inline toff_t imgdl_tiff_seek(thandle_t handle, toff_t offset, int origin) {
  imgdl_tiff_memory *memory = (imgdl_tiff_memory *)handle;
  uint64_t end = memory->size + memory->padding;
  uint64_t base = origin == SEEK_CUR ? memory->position : origin == SEEK_END ? end : 0;
  return memory->position = base + offset;
}
static inline int imgdl_tiff_close(thandle_t handle) {
  (void)handle;
  return 0;
}
static inline toff_t imgdl_tiff_size(thandle_t handle) {
  imgdl_tiff_memory *memory = (imgdl_tiff_memory *)handle;
  return memory->size + memory->padding;
}

/// Opens a TIFF in memory; `memory` must outlive the returned handle. Mapping functions are not passed,
/// because without them libtiff checks each strip against the file size before it allocates memory for the
/// strip.
static inline TIFF *imgdl_tiff_open(const imgdl_tiff *tiff, imgdl_tiff_memory *memory) {
  return tiff->TIFFClientOpen("", "rm", (thandle_t)memory, imgdl_tiff_read, imgdl_tiff_write,
                              imgdl_tiff_seek, imgdl_tiff_close, imgdl_tiff_size, 0, 0);
}

// MARK: - Functions with variable arguments, which Swift cannot call

/// Returns a field of 16 bits or its default; 0 if there is neither.
static inline uint16_t imgdl_tiff_short(const imgdl_tiff *tiff, TIFF *file, uint32_t tag) {
  uint16_t value = 0;
  return tiff->TIFFGetFieldDefaulted(file, tag, &value) ? value : 0;
}
/// Returns a field of 32 bits; 0 if it is missing.
static inline uint32_t imgdl_tiff_long(const imgdl_tiff *tiff, TIFF *file, uint32_t tag) {
  uint32_t value = 0;
  return tiff->TIFFGetField(file, tag, &value) ? value : 0;
}
/// Whether the page itself has a field of 16 bits, which has no default then.
static inline int imgdl_tiff_has_short(const imgdl_tiff *tiff, TIFF *file, uint32_t tag) {
  uint16_t value = 0;
  return tiff->TIFFGetField(file, tag, &value) != 0;
}
/// Returns the meaning of the first extra sample; -1 if the page does not state any.
static inline int imgdl_tiff_first_extra_sample(const imgdl_tiff *tiff, TIFF *file) {
  uint16_t count = 0;
  uint16_t *meanings = 0;
  if (!tiff->TIFFGetField(file, TIFFTAG_EXTRASAMPLES, &count, &meanings)) return -1;
  return count > 0 && meanings ? meanings[0] : -1;
}
/// Sets a 16-bit field of the open page in memory; the file is not changed.
static inline void imgdl_tiff_set_short(const imgdl_tiff *tiff, TIFF *file, uint32_t tag,
                                        uint16_t value) {
  tiff->TIFFSetField(file, tag, value);
}
