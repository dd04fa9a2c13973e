#pragma once
// libvterm's cells without bit fields and unions.
#include <stdint.h>
#include <vterm.h>

typedef struct {
  uint32_t characters[VTERM_MAX_CHARS_PER_CELL];
  int width;
  uint32_t foreground, background;
  int bold, underline, italic, reverse, strike;
} imgdl_vterm_cell;

static inline uint32_t imgdl_vterm_rgb(const VTermScreen *screen, VTermColor colour) {
  vterm_screen_convert_color_to_rgb(screen, &colour);
  return (uint32_t)colour.rgb.red << 16 | (uint32_t)colour.rgb.green << 8 | colour.rgb.blue;
}

static inline imgdl_vterm_cell imgdl_vterm_cell_at(VTermScreen *screen, int column, int row) {
  VTermScreenCell cell;
  VTermPos position = {row, column};
  imgdl_vterm_cell result = {{0}};
  if (!vterm_screen_get_cell(screen, position, &cell)) return result;
  for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL; i++) result.characters[i] = cell.chars[i];
  result.width = cell.width;
  result.foreground = imgdl_vterm_rgb(screen, cell.fg);
  result.background = imgdl_vterm_rgb(screen, cell.bg);
  result.bold = cell.attrs.bold;
  result.underline = cell.attrs.underline;
  result.italic = cell.attrs.italic;
  result.reverse = cell.attrs.reverse;
  result.strike = cell.attrs.strike;
  return result;
}

static inline void imgdl_vterm_default_colours(VTerm *terminal, uint32_t fore, uint32_t back) {
  VTermColor foreground, background;
  vterm_color_rgb(&foreground, fore >> 16 & 255, fore >> 8 & 255, fore & 255);
  vterm_color_rgb(&background, back >> 16 & 255, back >> 8 & 255, back & 255);
  vterm_state_set_default_colors(vterm_obtain_state(terminal), &foreground, &background);
}

static inline int imgdl_vterm_longest(void) { return VTERM_MAX_CHARS_PER_CELL; }
