#pragma once
#include <stdint.h>

/// A cell of a picture that is made of block characters; a colour is 0xRRGGBB, or -1 for none.
struct imgdl_block {
  uint32_t character;
  int32_t foreground;
  int32_t background;
};

/// Draws a picture with block characters (U+2580 to U+259F).
///
/// Each cell is split in two in the one of 15 ways that leaves the least squared error when either
/// part gets its mean colour. Where that is hardly better than one colour, the cell is a space.
/// `pixels` has `height` rows at a distance of `row_bytes`, with 3 or 4 `channels`; straight alpha
/// is laid over `background`, 0xRRGGBB. `cells` gets `columns` * `rows` entries, row by row.
/// 0; -1 without memory or for sizes below 1.
int imgdl_blocks(const uint8_t *pixels, int width, int height, int row_bytes, int channels, int columns,
                 int rows, uint32_t background, struct imgdl_block *cells);
