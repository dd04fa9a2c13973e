#pragma once
// libvips loads a hundred libraries, which would delay the start of every worker by 23 ms. libvips and its
// glib are therefore not linked, but opened by name in the workers that need them; the types are those of
// vips.h.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <vips/vips.h>
#include <vips/vector.h>

#define IMGDL_VIPS_FUNCTIONS(F)                                                                  \
  F(vips_init) F(vips_version_string) F(vips_block_untrusted_set) F(vips_operation_block_set) F(vips_concurrency_set)        \
  F(vips_cache_set_max) F(vips_vector_set_enabled) F(vips_error_buffer) F(vips_error_clear)      \
  F(vips_jpegload_buffer) F(vips_pngload_buffer) F(vips_webpload_buffer) F(vips_gifload_buffer)  \
  F(vips_tiffload_buffer) F(vips_heifload_buffer) F(vips_jxlload_buffer) F(vips_jp2kload_buffer) \
  F(vips_svgload_buffer) F(vips_image_get_interpretation) F(vips_image_get_blob)                 \
  F(vips_image_get_format) F(vips_image_remove) F(vips_image_set_blob_copy) F(vips_copy) F(vips_linear)                      \
  F(vips_unpremultiply) F(vips_extract_band) F(g_log_set_writer_func)                                                 \
  F(vips_image_get_width) F(vips_image_get_height) F(vips_image_get_bands)                       \
  F(vips_image_get_n_pages) F(vips_image_get_orientation) F(vips_image_get_typeof)               \
  F(vips_image_hasalpha) F(vips_image_write_to_memory) F(vips_thumbnail_image)                   \
  F(vips_colourspace) F(vips_cast)                                                              \
  F(g_object_unref) F(g_free)

/// The functions of libvips, each under its own name. The struct is written once, before threads share it.
typedef struct __attribute__((swift_attr("@Sendable"))) {
#define IMGDL_FIELD(name) __typeof__(&name) name;
  IMGDL_VIPS_FUNCTIONS(IMGDL_FIELD)
#undef IMGDL_FIELD
} imgdl_vips;

/// Opens libvips. Returns NULL, or the reason why it cannot be opened; the text is valid until the next call.
static inline const char *imgdl_vips_open(imgdl_vips *vips) {
  void *library = dlopen("libvips.so.42", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define IMGDL_LOOK_UP(name)                            \
  vips->name = (__typeof__(&name))dlsym(library, #name); \
  if (!vips->name) return dlerror();
  IMGDL_VIPS_FUNCTIONS(IMGDL_LOOK_UP)
#undef IMGDL_LOOK_UP
  return 0;
}

// MARK: - Messages

/// Discards the messages of glib and of the libraries that use it: about a file that is decoded nevertheless
/// they say nothing, and they would be quoted as the reason why a later file ended the worker. The message of
/// a fatal error, which ends the process, is written without the process and the time.
static inline GLogWriterOutput imgdl_vips_write_log(GLogLevelFlags level, const GLogField *fields,
                                                    gsize count, gpointer data) {
  (void)data;
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL))
    for (gsize index = 0; index < count; index++)
      if (strcmp(fields[index].key, "MESSAGE") == 0)
        fprintf(stderr, "%s\n", (const char *)fields[index].value);
  return G_LOG_WRITER_HANDLED;
}

static inline void imgdl_vips_discard_log(const imgdl_vips *vips) {
  vips->g_log_set_writer_func(imgdl_vips_write_log, 0, 0);
}

// MARK: - Functions with variable arguments, which Swift cannot call

/// The loaders of libvips. A caller names the loader, because libvips recognises fewer files than it reads.
typedef enum {
  imgdl_vips_jpeg, imgdl_vips_png, imgdl_vips_webp, imgdl_vips_gif, imgdl_vips_tiff, imgdl_vips_heif,
  imgdl_vips_jxl, imgdl_vips_jp2k, imgdl_vips_svg
} imgdl_vips_loader;

/// The part and the size of an image that a loader reads; each loader has some of the options.
typedef struct {
  /// The page of a TIFF or the resolution of a JPEG 2000, from 0.
  int page;
  /// Whether the thumbnail that a HEIF file contains is read instead of the image.
  int is_thumbnail;
  /// The factor by which a JPEG is reduced: 1, 2, 4 or 8.
  int shrink;
  /// The factor by which a vector image is enlarged, or a WebP reduced.
  double scale;
  /// Whether truncation and damage are errors.
  int is_strict;
} imgdl_vips_options;

/// Opens an image and reads its header; libvips decodes the pixels when they are needed. Returns NULL if the
/// loader cannot open it.
static inline VipsImage *imgdl_vips_load(const imgdl_vips *vips, imgdl_vips_loader loader,
                                         const void *bytes, size_t size,
                                         imgdl_vips_options options) {
  VipsFailOn fail_on = options.is_strict ? VIPS_FAIL_ON_ERROR : VIPS_FAIL_ON_NONE;
  VipsImage *image = NULL;
#define IMGDL_COMMON "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, (void *)0
  int code = -1;
  void *data = (void *)bytes;
  switch (loader) {
    case imgdl_vips_jpeg:
      code = vips->vips_jpegload_buffer(data, size, &image, "shrink", options.shrink, IMGDL_COMMON);
      break;
    case imgdl_vips_png: code = vips->vips_pngload_buffer(data, size, &image, IMGDL_COMMON); break;
    case imgdl_vips_webp:
      code = vips->vips_webpload_buffer(data, size, &image, "scale", options.scale, IMGDL_COMMON);
      break;
    case imgdl_vips_gif: code = vips->vips_gifload_buffer(data, size, &image, IMGDL_COMMON); break;
    case imgdl_vips_tiff:
      code = vips->vips_tiffload_buffer(data, size, &image, "page", options.page, IMGDL_COMMON);
      break;
    case imgdl_vips_heif:
      code = vips->vips_heifload_buffer(data, size, &image, "thumbnail", options.is_thumbnail,
                                        IMGDL_COMMON);
      break;
    case imgdl_vips_jxl: code = vips->vips_jxlload_buffer(data, size, &image, IMGDL_COMMON); break;
    case imgdl_vips_jp2k:
      code = vips->vips_jp2kload_buffer(data, size, &image, "page", options.page, IMGDL_COMMON);
      break;
    case imgdl_vips_svg:
      // Without this option libxml2 refuses attributes of more than 10 MB, as embedded images have them.
      code = vips->vips_svgload_buffer(data, size, &image, "scale", options.scale, "unlimited", TRUE,
                                       IMGDL_COMMON);
      break;
  }
#undef IMGDL_COMMON
  return code == 0 ? image : NULL;
}

/// Scales an image, so that its longest side is `side`, and turns it upright; into sRGB if it has a colour
/// profile. The caller ensures that `side` does not enlarge the image.
static inline int imgdl_vips_thumbnail(const imgdl_vips *vips, VipsImage *image, int side,
                                       int has_profile, VipsIntent intent, VipsImage **result) {
  if (has_profile)
    return vips->vips_thumbnail_image(image, result, side, "height", side, "export_profile", "srgb",
                                      "intent", intent, (void *)0);
  return vips->vips_thumbnail_image(image, result, side, "height", side, (void *)0);
}

/// Creates an image that shares the pixels but not the metadata.
static inline int imgdl_vips_copy(const imgdl_vips *vips, VipsImage *image, VipsImage **result) {
  return vips->vips_copy(image, result, (void *)0);
}

/// Returns the first bands of an image.
static inline int imgdl_vips_first_bands(const imgdl_vips *vips, VipsImage *image, int count,
                                         VipsImage **result) {
  return vips->vips_extract_band(image, result, 0, "n", count, (void *)0);
}

/// Divides the colours by alpha.
static inline int imgdl_vips_unpremultiply(const imgdl_vips *vips, VipsImage *image,
                                           VipsImage **result) {
  return vips->vips_unpremultiply(image, result, (void *)0);
}

/// Multiplies the samples of each component by a factor and adds a summand.
static inline int imgdl_vips_linear(const imgdl_vips *vips, VipsImage *image, const double *factors,
                                    const double *summands, int count, VipsImage **result) {
  return vips->vips_linear(image, result, factors, summands, count, (void *)0);
}

/// Converts the samples to a format; values beyond its range become the nearest one.
static inline int imgdl_vips_cast(const imgdl_vips *vips, VipsImage *image, VipsBandFormat format,
                                  VipsImage **result) {
  return vips->vips_cast(image, result, format, (void *)0);
}

static inline int imgdl_vips_to_srgb(const imgdl_vips *vips, VipsImage *image, VipsImage **result) {
  return vips->vips_colourspace(image, result, VIPS_INTERPRETATION_sRGB, (void *)0);
}

static inline int imgdl_vips_to_bytes(const imgdl_vips *vips, VipsImage *image, VipsImage **result) {
  return vips->vips_cast(image, result, VIPS_FORMAT_UCHAR, (void *)0);
}
