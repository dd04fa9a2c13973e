#include "blocks.h"

#include <stdlib.h>

// The samples of a cell, enough for eighths of its height and quarters of its width.
enum { across = 4, down = 8, samples = across * down };

// MARK: - Scaling

// The source pixels that contribute to one sample, and their weights, which add up to 256.
struct share {
  int start;
  int count;
  const uint16_t *weights;
};

// Computes the shares for `target` samples of `source` pixels. When shrinking, a sample is the mean of the
// pixels that it covers; when enlarging, it is interpolated between two neighbours.
static struct share *shares(int source, int target, uint16_t **weights) {
  double ratio = (double)source / target;
  int most = (int)ratio + 3;
  struct share *result = malloc(target * sizeof *result);
  uint16_t *next = *weights = malloc((size_t)target * most * sizeof *next);
  if (!result || !next) {
    free(result);
    free(next);
    return 0;
  }
  for (int index = 0; index < target; index++) {
    double width = ratio > 1 ? ratio : 1;
    double middle = (index + 0.5) * ratio;
    double left = middle - width / 2, right = middle + width / 2;
    if (left < 0) left = 0;
    if (right > source) right = source;
    int start = (int)left, end = (int)right + (right > (int)right);
    if (start > source - 1) start = source - 1;
    if (end > source) end = source;
    if (end - start > most) end = start + most;
    // Cumulative sums are rounded, so that many small weights add up to 256 as well.
    int used = 0;
    for (int pixel = start; pixel < end; pixel++) {
      double share = (pixel + 1 - left) / (right - left);
      int sum = pixel == end - 1 || share > 1 ? 256 : share > 0 ? (int)(share * 256 + 0.5) : 0;
      next[pixel - start] = (uint16_t)(sum - used);
      used = sum;
    }
    result[index] = (struct share){start, end - start, next};
    next += end - start;
  }
  return result;
}

static int is_opaque(const uint8_t *pixels, int width, int height, int row_bytes) {
  uint8_t all = 255;
  for (int y = 0; y < height; y++, pixels += row_bytes)
    for (int x = 0; x < width; x++) all &= pixels[4 * x + 3];
  return all == 255;
}

// Returns a copy of an image over the background, with three channels and no padding.
static uint8_t *flatten(const uint8_t *pixels, int width, int height, int row_bytes, uint32_t background) {
  const uint8_t ground[3] = {background >> 16 & 255, background >> 8 & 255, background & 255};
  uint8_t *result = malloc((size_t)width * height * 3);
  uint8_t *next = result;
  for (int y = 0; result && y < height; y++, pixels += row_bytes)
    for (int x = 0; x < width; x++) {
      const uint8_t *pixel = pixels + 4 * x;
      for (int channel = 0; channel < 3; channel++)
        *next++ = (uint8_t)((pixel[channel] * pixel[3] + ground[channel] * (255 - pixel[3]) + 127) / 255);
    }
  return result;
}

// Computes one row of `length` bytes, each the weighted mean of the source bytes in its column.
static void scale_column(const uint8_t *pixels, int row_bytes, int length, const struct share *share,
                         uint16_t *restrict sums, uint8_t *restrict result) {
  for (int index = 0; index < length; index++) sums[index] = 128;
  for (int part = 0; part < share->count; part++) {
    const uint8_t *row = pixels + (size_t)(share->start + part) * row_bytes;
    uint16_t weight = share->weights[part];
    // The largest sum, 255 * 256 + 128, fits into 16 bits.
    for (int index = 0; index < length; index++) sums[index] += row[index] * weight;
  }
  for (int index = 0; index < length; index++) result[index] = sums[index] >> 8;
}

// Computes `count` RGB samples of a row.
static void scale_row(const uint8_t *row, int channels, const struct share *shares, int count,
                      uint8_t *result) {
  for (int index = 0; index < count; index++, result += 3) {
    const uint8_t *pixel = row + channels * shares[index].start;
    unsigned red = 128, green = 128, blue = 128;
    for (int part = 0; part < shares[index].count; part++, pixel += channels) {
      unsigned weight = shares[index].weights[part];
      red += pixel[0] * weight;
      green += pixel[1] * weight;
      blue += pixel[2] * weight;
    }
    result[0] = red >> 8;
    result[1] = green >> 8;
    result[2] = blue >> 8;
  }
}

// MARK: - Fitting

// A division of a cell: its block character, and the number of samples in the foreground part.
struct split {
  uint32_t character;
  int count;
};

// Lower eighths, left quarters, quadrants, and the pair of the upper left and lower right quadrants.
static const struct split splits[] = {
    {0x2581, 4},  {0x2582, 8}, {0x2583, 12}, {0x2584, 16}, {0x2585, 20},
    {0x2586, 24}, {0x2587, 28}, {0x258e, 8}, {0x258c, 16}, {0x258a, 24},
    {0x2598, 8},  {0x259d, 8}, {0x2596, 8},  {0x2597, 8},  {0x259a, 16},
};
enum { split_count = sizeof splits / sizeof *splits };

// The smallest gain that justifies a second colour: that of halves which differ by two levels per channel.
static const float least_gain = 3.0f * samples;

static int32_t mean(const int *sum, int count) {
  int red = (sum[0] + count / 2) / count, green = (sum[1] + count / 2) / count,
      blue = (sum[2] + count / 2) / count;
  return red << 16 | green << 8 | blue;
}

// Adds up the samples of one channel, for the foreground part of each split and for the whole cell.
static void add_up(const uint8_t *cell, int stride, int channel, int parts[split_count][3], int *total) {
  int rows[down] = {0}, columns[across] = {0}, quadrants[4] = {0};
  for (int y = 0; y < down; y++, cell += stride)
    for (int x = 0; x < across; x++) {
      int value = cell[3 * x + channel];
      rows[y] += value;
      columns[x] += value;
      quadrants[y / 4 * 2 + x / 2] += value;
    }
  int part = 0;
  for (int n = 0, sum = 0; n < down - 1; n++) parts[part++][channel] = sum += rows[down - 1 - n];
  for (int n = 0, sum = 0; n < across - 1; n++) parts[part++][channel] = sum += columns[n];
  for (int n = 0; n < 4; n++) parts[part++][channel] = quadrants[n];
  parts[part][channel] = quadrants[0] + quadrants[3];
  *total = quadrants[0] + quadrants[1] + quadrants[2] + quadrants[3];
}

static void fit(const uint8_t *cell, int stride, struct imgdl_block *result) {
  int parts[split_count][3], total[3];
  float base = 0;
  for (int channel = 0; channel < 3; channel++) {
    add_up(cell, stride, channel, parts, &total[channel]);
    base += (float)total[channel] * total[channel];
  }
  // The squared error is the sum of squared samples minus the score, so the largest score is the best.
  float best = base / samples + least_gain;
  int chosen = -1;
  for (int n = 0; n < split_count; n++) {
    float one = 0, other = 0;
    for (int channel = 0; channel < 3; channel++) {
      float part = parts[n][channel], rest = total[channel] - parts[n][channel];
      one += part * part;
      other += rest * rest;
    }
    float score = one / splits[n].count + other / (samples - splits[n].count);
    if (score > best) {
      best = score;
      chosen = n;
    }
  }
  if (chosen < 0) {
    *result = (struct imgdl_block){0x20, -1, mean(total, samples)};
    return;
  }
  int rest[3];
  for (int channel = 0; channel < 3; channel++) rest[channel] = total[channel] - parts[chosen][channel];
  *result = (struct imgdl_block){splits[chosen].character, mean(parts[chosen], splits[chosen].count),
                                 mean(rest, samples - splits[chosen].count)};
}

static int draw(const uint8_t *pixels, int width, int height, int row_bytes, int channels, int columns,
                int rows, struct imgdl_block *cells) {
  int length = width * channels, stride = columns * across * 3;
  uint16_t *widths = 0, *heights = 0;
  struct share *horizontal = shares(width, columns * across, &widths);
  struct share *vertical = shares(height, rows * down, &heights);
  uint16_t *sums = malloc((size_t)length * sizeof *sums);
  uint8_t *line = malloc((size_t)length);
  uint8_t *band = malloc((size_t)down * stride);
  int done = horizontal && vertical && sums && line && band;
  for (int y = 0; done && y < rows; y++) {
    for (int sample = 0; sample < down; sample++) {
      scale_column(pixels, row_bytes, length, &vertical[y * down + sample], sums, line);
      scale_row(line, channels, horizontal, columns * across, band + (size_t)sample * stride);
    }
    for (int x = 0; x < columns; x++) fit(band + x * across * 3, stride, &cells[y * columns + x]);
  }
  // If it fails, `shares` frees the weights itself.
  if (horizontal) free(widths);
  if (vertical) free(heights);
  free(horizontal);
  free(vertical);
  free(sums);
  free(line);
  free(band);
  return done ? 0 : -1;
}

int imgdl_blocks(const uint8_t *pixels, int width, int height, int row_bytes, int channels, int columns,
                 int rows, uint32_t background, struct imgdl_block *cells) {
  if (width < 1 || height < 1 || columns < 1 || rows < 1) return -1;
  if (channels == 3 || is_opaque(pixels, width, height, row_bytes))
    return draw(pixels, width, height, row_bytes, channels, columns, rows, cells);
  uint8_t *flat = flatten(pixels, width, height, row_bytes, background);
  if (!flat) return -1;
  int code = draw(flat, width, height, width * 3, 3, columns, rows, cells);
  free(flat);
  return code;
}
