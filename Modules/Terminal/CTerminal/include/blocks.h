#pragma once
#include <stdint.h>

/// A cell of an image that consists of block characters; a colour is 0xRRGGBB, or -1 for none.
struct imgdl_block {
  uint32_t character;
  int32_t foreground;
  int32_t background;
};

/// Draws an image with block characters (U+2580 to U+259F).
///
/// Each cell is divided in the one of 15 ways that has the least squared error when each part gets its mean
/// colour. If the gain over a single colour is negligible, the cell is a space.
/// `pixels` has `height` rows at a stride of `row_bytes` with 3 or 4 `channels`; straight alpha is blended
/// over `background`, 0xRRGGBB. `cells` receives `columns` * `rows` entries, row by row.
/// Returns 0, or -1 if memory is exhausted or a size is below 1.
int imgdl_blocks(const uint8_t *pixels, int width, int height, int row_bytes, int channels, int columns,
                 int rows, uint32_t background, struct imgdl_block *cells);
