#pragma once
// The inner loops of the resampler for processors with AVX2 and with AVX-512. They are in C, because Swift
// cannot compile single functions for another processor than that of the module.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

/// Returns the vector width in bytes of the widest functions that this processor supports: 64, 32, or 0 if it
/// supports none.
///
/// The first processors with AVX-512 ran slower with wide registers; the extension VBMI2 identifies later
/// ones.
static inline int imgdl_vector_bytes(void) {
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni") &&
      __builtin_cpu_supports("avx512vbmi2"))
    return 64;
  return __builtin_cpu_supports("avx2") ? 32 : 0;
}

/// Returns two consecutive weights in one word. If `tap` is the last weight, the second one is 0.
static inline int32_t imgdl_weights(const int16_t *weights, ptrdiff_t tap, ptrdiff_t count) {
  if (tap + 1 == count) return (uint16_t)weights[tap];
  int32_t pair;
  memcpy(&pair, weights + tap, sizeof pair);
  return pair;
}

/// Computes one row of `size` bytes: the weighted sum, in 1/16,384, of `count` rows that lie `stride` bytes
/// apart, rounded and clamped to a byte.
///
/// - Parameter size: At least 32. The last vector overlaps the one before it.
__attribute__((target("avx2"))) static inline void imgdl_combine_rows_avx2(
    const uint8_t *source, ptrdiff_t stride, const int16_t *weights, ptrdiff_t count,
    uint8_t *target, ptrdiff_t size) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i half = _mm256_set1_epi32(1 << 13);
  for (ptrdiff_t offset = 0;;) {
    __m256i a = half, b = half, c = half, d = half;
    const uint8_t *row = source + offset;
    for (ptrdiff_t tap = 0; tap < count; tap += 2) {
      // The bytes of two rows are interleaved, so that one instruction multiplies both by their weights and
      // adds the products.
      const __m256i first = _mm256_loadu_si256((const __m256i *)row);
      const __m256i second =
          tap + 1 < count ? _mm256_loadu_si256((const __m256i *)(row + stride)) : zero;
      const __m256i weight = _mm256_set1_epi32(imgdl_weights(weights, tap, count));
      const __m256i low = _mm256_unpacklo_epi8(first, second);
      const __m256i high = _mm256_unpackhi_epi8(first, second);
      a = _mm256_add_epi32(a, _mm256_madd_epi16(_mm256_unpacklo_epi8(low, zero), weight));
      b = _mm256_add_epi32(b, _mm256_madd_epi16(_mm256_unpackhi_epi8(low, zero), weight));
      c = _mm256_add_epi32(c, _mm256_madd_epi16(_mm256_unpacklo_epi8(high, zero), weight));
      d = _mm256_add_epi32(d, _mm256_madd_epi16(_mm256_unpackhi_epi8(high, zero), weight));
      row += 2 * stride;
    }
    // Packing clamps the values to bytes and restores the order that unpacking changed.
    const __m256i even =
        _mm256_packs_epi32(_mm256_srai_epi32(a, 14), _mm256_srai_epi32(b, 14));
    const __m256i odd = _mm256_packs_epi32(_mm256_srai_epi32(c, 14), _mm256_srai_epi32(d, 14));
    _mm256_storeu_si256((__m256i *)(target + offset), _mm256_packus_epi16(even, odd));
    if (offset + 32 >= size) return;
    offset = offset + 64 <= size ? offset + 32 : size - 32;
  }
}

/// Computes the same as `imgdl_combine_rows_avx2`, with vectors of 64 bytes.
///
/// - Parameter size: At least 64.
__attribute__((target("avx512f,avx512bw,avx512vnni"))) static inline void
imgdl_combine_rows_avx512(const uint8_t *source, ptrdiff_t stride, const int16_t *weights,
                          ptrdiff_t count, uint8_t *target, ptrdiff_t size) {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i half = _mm512_set1_epi32(1 << 13);
  for (ptrdiff_t offset = 0;;) {
    __m512i a = half, b = half, c = half, d = half;
    const uint8_t *row = source + offset;
    for (ptrdiff_t tap = 0; tap < count; tap += 2) {
      const __m512i first = _mm512_loadu_si512(row);
      const __m512i second = tap + 1 < count ? _mm512_loadu_si512(row + stride) : zero;
      const __m512i weight = _mm512_set1_epi32(imgdl_weights(weights, tap, count));
      const __m512i low = _mm512_unpacklo_epi8(first, second);
      const __m512i high = _mm512_unpackhi_epi8(first, second);
      a = _mm512_dpwssd_epi32(a, _mm512_unpacklo_epi8(low, zero), weight);
      b = _mm512_dpwssd_epi32(b, _mm512_unpackhi_epi8(low, zero), weight);
      c = _mm512_dpwssd_epi32(c, _mm512_unpacklo_epi8(high, zero), weight);
      d = _mm512_dpwssd_epi32(d, _mm512_unpackhi_epi8(high, zero), weight);
      row += 2 * stride;
    }
    const __m512i even =
        _mm512_packs_epi32(_mm512_srai_epi32(a, 14), _mm512_srai_epi32(b, 14));
    const __m512i odd = _mm512_packs_epi32(_mm512_srai_epi32(c, 14), _mm512_srai_epi32(d, 14));
    _mm512_storeu_si512(target + offset, _mm512_packus_epi16(even, odd));
    if (offset + 64 >= size) return;
    offset = offset + 128 <= size ? offset + 64 : size - 64;
  }
}

/// Interleaves the bytes of each of the first eight rows with those of the row eight rows after it.
__attribute__((target("avx2"), always_inline)) static inline void imgdl_shuffle_avx2(
    const __m256i rows[16], __m256i mixed[16]) {
#pragma clang loop unroll(full)
  for (int i = 0; i < 8; i++) {
    mixed[2 * i] = _mm256_unpacklo_epi8(rows[i], rows[i + 8]);
    mixed[2 * i + 1] = _mm256_unpackhi_epi8(rows[i], rows[i + 8]);
  }
}

/// Transposes a plane of bytes in blocks of 16 rows and 32 columns.
///
/// - Parameters:
///   - width: At least 32. The last block overlaps the one before it.
///   - height: At least 16; the last block overlaps here as well.
__attribute__((target("avx2"))) static inline void imgdl_transpose_avx2(
    const uint8_t *source, ptrdiff_t width, ptrdiff_t height, uint8_t *target) {
  for (ptrdiff_t left = 0;;) {
    for (ptrdiff_t top = 0;;) {
      __m256i rows[16], mixed[16];
#pragma clang loop unroll(full)
      for (int i = 0; i < 16; i++)
        rows[i] = _mm256_loadu_si256((const __m256i *)(source + (top + i) * width + left));
      // After four interleavings, each half of a register holds a column of 16 bytes.
      imgdl_shuffle_avx2(rows, mixed);
      imgdl_shuffle_avx2(mixed, rows);
      imgdl_shuffle_avx2(rows, mixed);
      imgdl_shuffle_avx2(mixed, rows);
      uint8_t *column = target + left * height + top;
#pragma clang loop unroll(full)
      for (int i = 0; i < 16; i++) {
        _mm_storeu_si128((__m128i *)(column + i * height), _mm256_castsi256_si128(rows[i]));
        _mm_storeu_si128((__m128i *)(column + (i + 16) * height),
                         _mm256_extracti128_si256(rows[i], 1));
      }
      if (top + 16 >= height) break;
      top = top + 32 <= height ? top + 16 : height - 16;
    }
    if (left + 32 >= width) return;
    left = left + 64 <= width ? left + 32 : width - 32;
  }
}

#else

static inline int imgdl_vector_bytes(void) { return 0; }
static inline void imgdl_combine_rows_avx2(
    const uint8_t *source, ptrdiff_t stride, const int16_t *weights, ptrdiff_t count,
    uint8_t *target, ptrdiff_t size) {
  (void)source, (void)stride, (void)weights, (void)count, (void)target, (void)size;
}
static inline void imgdl_combine_rows_avx512(
    const uint8_t *source, ptrdiff_t stride, const int16_t *weights, ptrdiff_t count,
    uint8_t *target, ptrdiff_t size) {
  (void)source, (void)stride, (void)weights, (void)count, (void)target, (void)size;
}
static inline void imgdl_transpose_avx2(
    const uint8_t *source, ptrdiff_t width, ptrdiff_t height, uint8_t *target) {
  (void)source, (void)width, (void)height, (void)target;
}

#endif
