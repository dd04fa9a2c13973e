#pragma once

/// The image surfaces that libraries have asked cairo for. Those that cairo refused count as well.
typedef struct {
  /// The longest side in pixels.
  int side;
  /// The number of pixels of the largest one.
  long long pixels;
} imgdl_surfaces;

/// Returns the surfaces of this thread since the last call, and forgets them.
imgdl_surfaces imgdl_take_surfaces(void);

/// Receives the error messages of poppler, in place of the standard error.
void imgdl_poppler_message(int category, long long position, const char *message);

/// Returns the name of the first font without a substitute that poppler has named on this thread since the last call, or
/// NULL; valid until the next message.
const char *imgdl_take_missing_font(void);

/// Returns the same of a missing language pack, which is that of a character collection.
const char *imgdl_take_missing_pack(void);

/// The image of a page with the most rows that are missing, because its data ends too early or cannot be decoded.
typedef struct {
  /// The number of its rows.
  int rows;
  /// The number of those that are missing, all of them at the end; 0 if no image lacks any.
  int missing;
  /// Whether the decoder of any image has reported an error before the first row.
  int is_damaged;
} imgdl_incomplete_image;

/// Returns the image for this thread since the last call, and forgets it.
imgdl_incomplete_image imgdl_take_incomplete_image(void);

/// Notes that a decoder of poppler has reported an error, which counts only while an image is opened.
void imgdl_note_decoder_error(void);

/// Notes that a surface is created, before which poppler has opened the image that it is for. Later errors do not concern
/// this image, even if no row of it is read.
void imgdl_note_surface(void);
