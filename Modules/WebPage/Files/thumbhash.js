// ThumbHash: a blurred image in at most 25 bytes (https://evanw.github.io/thumbhash/).

/** The longest side of a decoded image in pixels; the browser enlarges it smoothly. */
const side = 16;

/**
 * Decodes a hash.
 * @param {Uint8Array} hash Bytes that imgdld has checked.
 * @returns {ImageData}
 */
export function decodeThumbHash(hash) {
  const low = hash[0] | hash[1] << 8 | hash[2] << 16;
  const high = hash[3] | hash[4] << 8;
  const hasAlpha = low >> 23 !== 0;
  const isLandscape = high >> 15 !== 0;
  const longer = hasAlpha ? 5 : 7;
  const shorter = Math.max(1, high & 7);
  const ratio = isLandscape ? longer / shorter : shorter / longer;
  const width = Math.max(1, Math.round(ratio > 1 ? side : side * ratio));
  const height = Math.max(1, Math.round(ratio > 1 ? side / ratio : side));

  let place = (hasAlpha ? 6 : 5) * 2;
  // Each byte holds two coefficients, the lower four bits first.
  const next = () => (hash[place >> 1] >> 4 * (place++ & 1) & 15) / 7.5 - 1;
  const channel = (columns, rows, mean, scale) => {
    const plane = new Float32Array(width * height);
    const horizontal = cosines(columns, width);
    const vertical = cosines(rows, height);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column * rows < columns * (rows - row); column += 1) {
        const value = row + column === 0 ? mean : 2 * next() * scale;
        for (let y = 0; y < height; y += 1) {
          const weight = value * vertical[row * height + y];
          for (let x = 0; x < width; x += 1) {
            plane[y * width + x] += weight * horizontal[column * width + x];
          }
        }
      }
    }
    return plane;
  };
  const [columns, rows] = isLandscape ? [longer, shorter] : [shorter, longer];
  const lightness = channel(
    Math.max(3, columns), Math.max(3, rows), (low & 63) / 63, (low >> 18 & 31) / 31);
  // Saturation is raised by 1.25 to make up for missing frequencies.
  const yellow = channel(3, 3, (low >> 6 & 63) / 31.5 - 1, (high >> 3 & 63) / 63 * 1.25);
  const redness = channel(3, 3, (low >> 12 & 63) / 31.5 - 1, (high >> 9 & 63) / 63 * 1.25);
  const alpha = hasAlpha ? channel(5, 5, (hash[5] & 15) / 15, (hash[5] >> 4) / 15) : null;

  const image = new ImageData(width, height);
  for (let index = 0; index < width * height; index += 1) {
    const blue = lightness[index] - 2 / 3 * yellow[index];
    const red = (3 * lightness[index] - blue + redness[index]) / 2;
    image.data[4 * index] = 255 * red;
    image.data[4 * index + 1] = 255 * (red - redness[index]);
    image.data[4 * index + 2] = 255 * blue;
    image.data[4 * index + 3] = alpha ? 255 * alpha[index] : 255;
  }
  return image;
}

/** `count` cosines of rising frequency, each at the middle of `length` pixels. */
function cosines(count, length) {
  const table = new Float32Array(count * length);
  for (let frequency = 0; frequency < count; frequency += 1) {
    for (let pixel = 0; pixel < length; pixel += 1) {
      table[frequency * length + pixel] = Math.cos(Math.PI / length * frequency * (pixel + 0.5));
    }
  }
  return table;
}
