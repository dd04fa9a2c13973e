#pragma once
// libvips loads a hundred libraries, which would delay the start of every worker by 23 ms. libvips and its
// glib are therefore not linked, but opened by name in the workers that need them; the types are those of
// vips.h.
#include <dlfcn.h>
#include <vips/vips.h>
#include <vips/vector.h>

#define IMGDL_VIPS_FUNCTIONS(F)                                                                  \
  F(vips_init) F(vips_version_string) F(vips_block_untrusted_set) F(vips_operation_block_set) F(vips_concurrency_set)        \
  F(vips_cache_set_max) F(vips_vector_set_enabled) F(vips_error_buffer) F(vips_error_clear)      \
  F(vips_image_new_from_buffer)                                                                  \
  F(vips_image_get_width) F(vips_image_get_height) F(vips_image_get_bands)                       \
  F(vips_image_get_n_pages) F(vips_image_get_orientation) F(vips_image_get_typeof)               \
  F(vips_image_hasalpha) F(vips_image_write_to_memory) F(vips_thumbnail_buffer)                  \
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

// MARK: - Functions with variable arguments, which Swift cannot call

/// Opens an image and reads its header. Returns NULL if libvips cannot open it.
static inline VipsImage *imgdl_vips_header(const imgdl_vips *vips, const void *bytes, size_t size,
                                           const char *options) {
  return vips->vips_image_new_from_buffer(bytes, size, options, "access", VIPS_ACCESS_SEQUENTIAL,
                                          (void *)0);
}

/// Creates an upright image whose longest side is `side`, in sRGB if it has a colour profile. If strict,
/// truncation and damage are errors.
///
/// The caller ensures that `side` does not enlarge the image: with `VIPS_SIZE_DOWN` libvips 8.14 takes the
/// smallest level of a pyramid for any size, because it counts each level as large enough.
static inline int imgdl_vips_thumbnail(const imgdl_vips *vips, const void *bytes, size_t size,
                                       const char *options, int side, int has_profile,
                                       int is_strict, VipsImage **image) {
  VipsFailOn fail_on = is_strict ? VIPS_FAIL_ON_ERROR : VIPS_FAIL_ON_NONE;
  if (has_profile)
    return vips->vips_thumbnail_buffer((void *)bytes, size, image, side, "height", side,
                                       "option_string", options, "export_profile", "srgb",
                                       "fail_on", fail_on, (void *)0);
  return vips->vips_thumbnail_buffer((void *)bytes, size, image, side, "height", side,
                                     "option_string", options, "fail_on", fail_on, (void *)0);
}

static inline int imgdl_vips_to_srgb(const imgdl_vips *vips, VipsImage *image, VipsImage **result) {
  return vips->vips_colourspace(image, result, VIPS_INTERPRETATION_sRGB, (void *)0);
}

static inline int imgdl_vips_to_bytes(const imgdl_vips *vips, VipsImage *image, VipsImage **result) {
  return vips->vips_cast(image, result, VIPS_FORMAT_UCHAR, (void *)0);
}
