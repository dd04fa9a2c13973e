#pragma once
// The inner loop of the resampler for processors with AVX2: 32 bytes of a row at a time. In C,
// because Swift has no functions that are compiled for another processor than the module is.
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>

static inline int imgdl_has_avx2(void) { return __builtin_cpu_supports("avx2") != 0; }

/// One row of `size` bytes: the weighted sum of `count` rows that lie `stride` bytes apart, in
/// 1/16,384, rounded and clamped to a byte.
///
/// - Parameter size: at least 32. The last bytes are computed with those before them once more.
__attribute__((target("avx2"))) static inline void imgdl_combine_rows_avx2(
    const uint8_t *source, ptrdiff_t stride, const int16_t *weights, ptrdiff_t count,
    uint8_t *target, ptrdiff_t size) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i half = _mm256_set1_epi32(1 << 13);
  for (ptrdiff_t offset = 0;;) {
    __m256i a = half, b = half, c = half, d = half;
    const uint8_t *row = source + offset;
    for (ptrdiff_t tap = 0; tap < count; tap += 2) {
      // Two rows at a time: a byte of each beside the other, and one instruction multiplies both by
      // their weights and adds the products.
      const int has_second = tap + 1 < count;
      const __m256i first = _mm256_loadu_si256((const __m256i *)row);
      const __m256i second =
          has_second ? _mm256_loadu_si256((const __m256i *)(row + stride)) : zero;
      const uint32_t pair = (uint16_t)weights[tap] |
                            (has_second ? (uint32_t)(uint16_t)weights[tap + 1] << 16 : 0);
      const __m256i weight = _mm256_set1_epi32((int32_t)pair);
      const __m256i low = _mm256_unpacklo_epi8(first, second);
      const __m256i high = _mm256_unpackhi_epi8(first, second);
      a = _mm256_add_epi32(a, _mm256_madd_epi16(_mm256_unpacklo_epi8(low, zero), weight));
      b = _mm256_add_epi32(b, _mm256_madd_epi16(_mm256_unpackhi_epi8(low, zero), weight));
      c = _mm256_add_epi32(c, _mm256_madd_epi16(_mm256_unpacklo_epi8(high, zero), weight));
      d = _mm256_add_epi32(d, _mm256_madd_epi16(_mm256_unpackhi_epi8(high, zero), weight));
      row += 2 * stride;
    }
    // Packing undoes what unpacking did to the order, and clamps.
    const __m256i even =
        _mm256_packs_epi32(_mm256_srai_epi32(a, 14), _mm256_srai_epi32(b, 14));
    const __m256i odd = _mm256_packs_epi32(_mm256_srai_epi32(c, 14), _mm256_srai_epi32(d, 14));
    _mm256_storeu_si256((__m256i *)(target + offset), _mm256_packus_epi16(even, odd));
    if (offset + 32 >= size) return;
    offset = offset + 64 <= size ? offset + 32 : size - 32;
  }
}

#else

static inline int imgdl_has_avx2(void) { return 0; }
static inline void imgdl_combine_rows_avx2(
    const uint8_t *source, ptrdiff_t stride, const int16_t *weights, ptrdiff_t count,
    uint8_t *target, ptrdiff_t size) {
  (void)source, (void)stride, (void)weights, (void)count, (void)target, (void)size;
}

#endif
