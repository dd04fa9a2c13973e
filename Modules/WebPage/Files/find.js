// Finds resources in views by their ids.

import { call } from './api.js';

const { blockSize } = window.early;

/**
 * Returns the index of a resource in a view, or undefined. The blocks of tiles are searched outwards from
 * the index `guess`, at most `reach` blocks on both sides.
 */
export async function find(tiles, id, guess, reach = Infinity) {
  const start = Math.floor(Math.max(0, Math.min(guess, tiles.total - 1)) / blockSize);
  for (let distance = 0; distance <= reach && distance * blockSize < tiles.total; distance += 1) {
    for (const block of [start - distance, start + distance]) {
      const first = block * blockSize;
      if (first < 0 || first >= tiles.total) continue;
      await tiles.load(first, first + 1);
      // A view that imgdld had discarded was made again, with its first block only.
      if (!tiles.at(first)) await tiles.load(first, first + 1);
      const index = tiles.indexOf(id);
      if (index !== undefined) return index;
    }
  }
}

/** Returns the index of a resource in a view of all resources in the record's own order, or undefined. */
export async function findPosition(tiles, id) {
  // Entries that a refresh adds at the top have higher numbers than those below.
  const { index } = await call('GET', `/v1/resources/${id}`);
  return find(tiles, id, index - 1);
}
