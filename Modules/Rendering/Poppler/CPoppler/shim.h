#pragma once
// poppler and cairo load fifty libraries, which would delay the start of every worker by 6 ms. They and their
// glib are therefore not linked, but opened by name in the workers that need them. The functions of
// poppler-glib are declared here, because its header can be found only through a pkg-config file, which would
// link the libraries.
#include <cairo/cairo.h>
#include <dlfcn.h>
#include <glib-object.h>
#include <iconv.h>
#include <stdio.h>

typedef struct _PopplerDocument PopplerDocument;
typedef struct _PopplerPage PopplerPage;
typedef struct _GInputStream GInputStream;

/// The code of `POPPLER_ERROR_ENCRYPTED` in `PopplerError`.
enum { imgdl_poppler_encrypted = 1 };

GQuark poppler_error_quark(void);
PopplerDocument *poppler_document_new_from_bytes(GBytes *bytes, const char *password,
                                                 GError **error);
PopplerDocument *poppler_document_new_from_stream(GInputStream *stream, gint64 length,
                                                  const char *password, void *cancellable,
                                                  GError **error);
GInputStream *g_memory_input_stream_new_from_bytes(GBytes *bytes);
int poppler_document_get_n_pages(PopplerDocument *document);
PopplerPage *poppler_document_get_page(PopplerDocument *document, int index);
void poppler_page_get_size(PopplerPage *page, double *width, double *height);
void poppler_page_render(PopplerPage *page, cairo_t *cairo);
void poppler_page_render_for_printing(PopplerPage *page, cairo_t *cairo);
const char *poppler_get_version(void);

#define IMGDL_POPPLER_FUNCTIONS(F)                                                    \
  F(poppler_error_quark) F(poppler_document_new_from_bytes)                           \
  F(poppler_document_new_from_stream) F(g_memory_input_stream_new_from_bytes)         \
  F(poppler_document_get_n_pages) F(poppler_document_get_page)                        \
  F(poppler_page_get_size) F(poppler_page_render) F(poppler_get_version)              \
  F(poppler_page_render_for_printing) F(g_log_set_default_handler)                    \
  F(g_object_unref) F(g_bytes_new_static) F(g_bytes_unref) F(g_clear_error)
#define IMGDL_CAIRO_FUNCTIONS(F)                                                      \
  F(cairo_image_surface_create) F(cairo_image_surface_get_data)                       \
  F(cairo_image_surface_get_stride) F(cairo_surface_flush) F(cairo_surface_status)    \
  F(cairo_surface_destroy) F(cairo_create) F(cairo_destroy) F(cairo_status)           \
  F(cairo_status_to_string) F(cairo_scale)

/// The functions of the open libraries, each under its own name.
typedef struct {
#define IMGDL_FIELD(name) __typeof__(&name) name;
  IMGDL_POPPLER_FUNCTIONS(IMGDL_FIELD)
  IMGDL_CAIRO_FUNCTIONS(IMGDL_FIELD)
#undef IMGDL_FIELD
  /// `setErrorCallback` of the C++ library, under its mangled name; NULL in a version that has another one.
  void (*set_error_callback)(void (*)(int, long long, const char *));
} imgdl_poppler;

/// Discards a message of glib or of a library that uses it: about a file that is drawn nevertheless it says nothing,
/// and it would be quoted as the reason why a later file ended the worker.
static inline void imgdl_poppler_discard(const gchar *domain, GLogLevelFlags level,
                                         const gchar *message, gpointer data) {
  (void)domain, (void)data;
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL)) fprintf(stderr, "%s\n", message);
}

/// Opens both libraries. Returns NULL, or the reason why one cannot be opened, valid until the next call.
static inline const char *imgdl_poppler_open(imgdl_poppler *poppler) {
  void *library;
#define IMGDL_LOOK_UP(name)                               \
  poppler->name = (__typeof__(&name))dlsym(library, #name); \
  if (!poppler->name) return dlerror();
  library = dlopen("libpoppler-glib.so.8", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
  IMGDL_POPPLER_FUNCTIONS(IMGDL_LOOK_UP)
  poppler->set_error_callback = (__typeof__(poppler->set_error_callback))dlsym(
      library, "_Z16setErrorCallbackPFv13ErrorCategoryxPKcE");
  library = dlopen("libcairo.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
  IMGDL_CAIRO_FUNCTIONS(IMGDL_LOOK_UP)
#undef IMGDL_LOOK_UP
  poppler->g_log_set_default_handler(imgdl_poppler_discard, 0);
  // poppler converts a password to Latin-1, for which the C library opens a file that a confined worker
  // cannot open. This descriptor makes it open the file in advance, and is deliberately never closed.
  (void)iconv_open("ISO-8859-1", "UTF-8");
  return 0;
}
