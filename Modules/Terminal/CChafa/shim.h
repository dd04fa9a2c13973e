#pragma once
// Functions over libchafa that release its reference-counted objects. The library, with the glib that it needs, is not
// linked but opened by name: loading it would delay the start of every program by 2 ms, and most draw nothing with it.
#include <chafa.h>
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#define IMGDL_CHAFA_FUNCTIONS(F) \
  F(chafa_canvas_config_new) F(chafa_canvas_config_set_geometry) \
  F(chafa_canvas_config_set_cell_geometry) F(chafa_canvas_config_set_canvas_mode) \
  F(chafa_canvas_config_set_pixel_mode) F(chafa_canvas_config_set_bg_color) \
  F(chafa_canvas_config_set_color_space) F(chafa_canvas_config_set_preprocessing_enabled) \
  F(chafa_canvas_config_set_work_factor) F(chafa_canvas_config_set_dither_mode) \
  F(chafa_canvas_config_set_symbol_map) F(chafa_canvas_new) F(chafa_canvas_config_unref) \
  F(chafa_canvas_draw_all_pixels) F(chafa_symbol_map_new) F(chafa_symbol_map_add_by_tags) \
  F(chafa_symbol_map_unref) F(chafa_canvas_get_char_at) F(chafa_canvas_get_raw_colors_at) \
  F(chafa_canvas_unref) F(g_free) F(chafa_term_info_new) F(chafa_term_info_set_seq) \
  F(chafa_canvas_print) F(chafa_term_info_unref) F(g_string_free) F(chafa_set_n_threads)

/// The functions of the open library, each under its own name.
typedef struct {
#define IMGDL_FIELD(name) __typeof__(&name) name;
  IMGDL_CHAFA_FUNCTIONS(IMGDL_FIELD)
#undef IMGDL_FIELD
} imgdl_chafa;

/// Opens the library. Returns NULL, or the reason why it cannot be opened, valid until the next call.
static inline const char *imgdl_chafa_open(imgdl_chafa *chafa) {
  void *library = dlopen("libchafa.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define IMGDL_LOOK_UP(name)                                \
  chafa->name = (__typeof__(&name))dlsym(library, #name); \
  if (!chafa->name) return dlerror();
  IMGDL_CHAFA_FUNCTIONS(IMGDL_LOOK_UP)
#undef IMGDL_LOOK_UP
  // More threads would compete with those that decode images.
  chafa->chafa_set_n_threads(1);
  return 0;
}

/// Returns a canvas with the image drawn on it, which the caller must unref, or NULL if memory is exhausted.
static inline ChafaCanvas *imgdl_chafa_draw(const imgdl_chafa *chafa, const uint8_t *pixels,
                                            int width, int height, int row_bytes, int channels, int columns, int rows,
                                            int cell_width, int cell_height, uint32_t background,
                                            ChafaCanvasMode mode, ChafaPixelMode pixel_mode,
                                            ChafaSymbolMap *symbols) {
  ChafaCanvasConfig *config = chafa->chafa_canvas_config_new();
  chafa->chafa_canvas_config_set_geometry(config, columns, rows);
  chafa->chafa_canvas_config_set_cell_geometry(config, cell_width, cell_height);
  chafa->chafa_canvas_config_set_canvas_mode(config, mode);
  chafa->chafa_canvas_config_set_pixel_mode(config, pixel_mode);
  chafa->chafa_canvas_config_set_bg_color(config, background);
  chafa->chafa_canvas_config_set_color_space(config, CHAFA_COLOR_SPACE_RGB);
  chafa->chafa_canvas_config_set_preprocessing_enabled(config, FALSE);
  chafa->chafa_canvas_config_set_work_factor(config, 0.1f);
  if (pixel_mode != CHAFA_PIXEL_MODE_SIXELS)
    chafa->chafa_canvas_config_set_dither_mode(config, CHAFA_DITHER_MODE_ORDERED);
  if (symbols) chafa->chafa_canvas_config_set_symbol_map(config, symbols);
  ChafaCanvas *canvas = chafa->chafa_canvas_new(config);
  chafa->chafa_canvas_config_unref(config);
  if (canvas)
    chafa->chafa_canvas_draw_all_pixels(canvas,
                                 channels == 4 ? CHAFA_PIXEL_RGBA8_UNASSOCIATED : CHAFA_PIXEL_RGB8,
                                 pixels, width, height, row_bytes);
  return canvas;
}

/// Draws an image with characters.
/// `characters`, `foregrounds` and `backgrounds` have columns * rows entries. A colour is 0xRRGGBB, an index
/// of the palette in the modes that have one, or -1 for none. Returns 0, or -1 if memory is exhausted.
static inline int imgdl_chafa_symbols(const imgdl_chafa *chafa, const uint8_t *pixels, int width,
                                      int height, int row_bytes, int channels, int columns, int rows, int cell_width,
                                      int cell_height, uint32_t background, ChafaCanvasMode mode,
                                      int ascii, uint32_t *characters, int32_t *foregrounds,
                                      int32_t *backgrounds) {
  ChafaSymbolMap *symbols = chafa->chafa_symbol_map_new();
  chafa->chafa_symbol_map_add_by_tags(symbols, ascii ? CHAFA_SYMBOL_TAG_ASCII
                                              : CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_HALF |
                                                    CHAFA_SYMBOL_TAG_QUAD | CHAFA_SYMBOL_TAG_BLOCK);
  ChafaCanvas *canvas =
      imgdl_chafa_draw(chafa, pixels, width, height, row_bytes, channels, columns, rows, cell_width,
                       cell_height, background, mode, CHAFA_PIXEL_MODE_SYMBOLS, symbols);
  chafa->chafa_symbol_map_unref(symbols);
  if (!canvas) return -1;
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++) {
      int index = row * columns + column;
      int foreground, back;
      characters[index] = chafa->chafa_canvas_get_char_at(canvas, column, row);
      chafa->chafa_canvas_get_raw_colors_at(canvas, column, row, &foreground, &back);
      foregrounds[index] = foreground;
      backgrounds[index] = back;
    }
  chafa->chafa_canvas_unref(canvas);
  return 0;
}

/// Returns the image as a sixel string, which `g_free` frees, or NULL if memory is exhausted.
static inline char *imgdl_chafa_sixel(const imgdl_chafa *chafa, const uint8_t *pixels, int width,
                                      int height, int row_bytes, int channels, int columns, int rows, int cell_width,
                                      int cell_height, uint32_t background, size_t *length) {
  ChafaCanvas *canvas = imgdl_chafa_draw(chafa, pixels, width, height, row_bytes, channels, columns, rows,
                                         cell_width, cell_height, background,
                                         CHAFA_CANVAS_MODE_TRUECOLOR, CHAFA_PIXEL_MODE_SIXELS, 0);
  if (!canvas) return 0;
  ChafaTermInfo *terminal = chafa->chafa_term_info_new();
  chafa->chafa_term_info_set_seq(terminal, CHAFA_TERM_SEQ_BEGIN_SIXELS, "\033P%1;%2;%3q", 0);
  chafa->chafa_term_info_set_seq(terminal, CHAFA_TERM_SEQ_END_SIXELS, "\033\\", 0);
  GString *text = chafa->chafa_canvas_print(canvas, terminal);
  chafa->chafa_term_info_unref(terminal);
  chafa->chafa_canvas_unref(canvas);
  if (!text) return 0;
  *length = text->len;
  // The parentheses keep the macro of the same name out, which newer versions of glib have.
  return (chafa->g_string_free)(text, FALSE);
}
