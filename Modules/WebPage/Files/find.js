// Finds resources in views by their ids.

import { call } from './api.js';
import { states, Tiles } from './tiles.js';

const { blockSize } = window.early;

/** Returns the index of a resource in a view, or undefined. All tiles are searched, outwards from an index. */
async function find(tiles, id, guess) {
  const start = Math.floor(Math.max(0, Math.min(guess, tiles.total - 1)) / blockSize);
  for (let distance = 0; distance * blockSize < tiles.total; distance += 1) {
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

/**
 * Returns the range of positions in the record that has the queued resources of a range of the view; null if there are
 * none. It has no others: queued resources have no size and no time, so that they keep the record's order in each view.
 */
export async function findQueued(tiles, [from, to]) {
  await tiles.load(from, to);
  const ids = [];
  for (let index = from; index < to; index += 1) {
    const tile = tiles.at(index);
    if (tile?.state === states.queued) ids.push(tile.id);
  }
  if (ids.length === 0) return null;
  if (!tiles.all) {
    const all = new Tiles(tiles.record, {}, () => {});
    await all.open();
    tiles.all = all;
  }
  const first = await findPosition(tiles.all, ids[0]);
  const last = await findPosition(tiles.all, ids.at(-1));
  return first === undefined || last === undefined ? null : [Math.min(first, last), Math.max(first, last) + 1];
}
