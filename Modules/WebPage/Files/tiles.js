// The tiles of a view: a selection of a record's resources that imgdld keeps while the page scrolls through it.

import { call } from './api.js';

/** The number of tiles in a request. */
const blockSize = 256;
/** The number of blocks that are kept. */
const keptBlocks = 64;

export const states = { queued: 0, stored: 1, fetched: 2, finished: 3, failed: 4, removed: 255 };

/** A view with the tiles that have been read. */
export class Tiles {
  /**
   * @param {number} record
   * @param {object} selection The body of the request that makes the view.
   * @param {(from: number, to: number) => void} onLoad Called when tiles were read.
   */
  constructor(record, selection, onLoad) {
    Object.assign(this, { record, selection, onLoad });
    this.total = 0;
    this.blocks = new Map();
    this.indexes = new Map();
    this.loading = new Map();
  }

  /** Makes the view, and forgets what was read before. */
  async open() {
    const { view, total } = await call('POST', `/v1/records/${this.record}/views`, this.selection);
    this.view = view;
    this.total = total;
    this.blocks.clear();
    this.indexes.clear();
  }

  /** Returns a tile, or undefined if it has not been read. */
  at(index) {
    return this.blocks.get(Math.floor(index / blockSize))?.[index % blockSize];
  }

  /** Returns the index of a resource, or undefined if its tile has not been read. */
  indexOf(resource) {
    return this.indexes.get(resource);
  }

  /** Reads the tiles of a range that have not been read yet. */
  async load(from, to) {
    const last = Math.min(this.total, to) - 1;
    const missing = [];
    for (let block = Math.floor(from / blockSize); block * blockSize <= last; block += 1) {
      if (!this.blocks.has(block)) missing.push(this.#read(block));
    }
    await Promise.all(missing);
  }

  /** Reads the blocks with these resources again. */
  async reload(resources) {
    const blocks = new Set();
    for (const resource of resources) {
      const index = this.indexes.get(resource);
      if (index !== undefined) blocks.add(Math.floor(index / blockSize));
    }
    await Promise.all([...blocks].map((block) => this.#read(block)));
  }

  #read(block) {
    const reading = this.loading.get(block) ?? this.#request(block).finally(() => {
      this.loading.delete(block);
    });
    this.loading.set(block, reading);
    return reading;
  }

  async #request(block) {
    const { view } = this;
    const path = `/v1/views/${view}/tiles?from=${block * blockSize}&count=${blockSize}`;
    let columns;
    try {
      columns = await call('GET', path);
    } catch (problem) {
      // The view was not used for long, or imgdld was started again.
      if (problem.status !== 410 || view !== this.view) throw problem;
      await this.open();
      this.onLoad(0, this.total);
      return;
    }
    if (view !== this.view) return;
    const [codes, ratios] = [decode(columns.states), decode(columns.ratios)];
    this.blocks.delete(block);
    this.blocks.set(block, columns.ids.map((id, place) => {
      this.indexes.set(id, columns.from + place);
      return {
        id,
        state: codes[place],
        ratio: ratios[place] / 64,
        version: columns.thumbnails[place],
        text: columns.texts[place] ?? '',
      };
    }));
    this.#forgetOldest();
    this.onLoad(columns.from, columns.from + columns.ids.length);
  }

  #forgetOldest() {
    while (this.blocks.size > keptBlocks) {
      const [block, tiles] = this.blocks.entries().next().value;
      this.blocks.delete(block);
      for (const { id } of tiles) this.indexes.delete(id);
    }
  }
}

/** The bytes of a base64 text. */
function decode(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
