// The tiles of a view, a selection of a record's resources that imgdld keeps for a page that scrolls.

import { call } from './api.js';
import { noteRead } from './live.js';
import { fromBase64 } from './text.js';

const { early } = window;
const { blockSize } = early;

/** The number of blocks that are kept. */
const keptBlocks = 64;
/** The number of blocks in which a resource is looked for on both sides of the place where it is expected. */
const searchedBlocks = 4;

export const states = { queued: 0, stored: 1, fetched: 2, finished: 3, failed: 4, removed: 255 };

/** The number of resource rows in a request. */
const rowBlockSize = 128;
const keptRowBlocks = 64;

/** A view with those of its tiles that have been read. */
export class Tiles {
  /**
   * @param {object} selection The body of the request that makes the view.
   * @param {(from: number, to: number) => void} onLoad Called when tiles were read.
   */
  constructor(record, selection, onLoad) {
    Object.assign(this, { record, selection, onLoad });
    this.total = 0;
    this.blocks = new Map();
    this.indexes = new Map();
    this.loading = new Map();
    this.rowBlocks = new Map();
  }

  /** Creates the view with its first tiles, and discards those of the former view. */
  async open() {
    const path = `/v1/records/${this.record}/views`;
    const isNatural = Object.keys(this.selection).length === 0;
    const { view, total, tiles, seq } = await call(
      'POST', path, { ...this.selection, tiles: blockSize }, isNatural ? early.take(path) : undefined);
    this.view = view;
    this.total = total;
    this.blocks.clear();
    this.indexes.clear();
    this.rowBlocks.clear();
    this.#keep(0, tiles);
    noteRead(seq);
  }

  /** Makes a request concerning every resource of the view, such as `retry`. */
  async command(verb) {
    try {
      return await call('POST', `/v1/views/${this.view}/${verb}`);
    } catch (problem) {
      if (problem.status !== 410) throw problem;
      await this.open();
      return call('POST', `/v1/views/${this.view}/${verb}`);
    }
  }

  /** Returns a tile, or undefined if it has not been read. */
  at(index) {
    return this.blocks.get(Math.floor(index / blockSize))?.[index % blockSize];
  }

  /** Returns those tiles of a range that have been read. */
  between(from, to) {
    const read = [];
    for (let index = Math.max(0, from); index < Math.min(to, this.total); index += 1) {
      const tile = this.at(index);
      if (tile) read.push(tile);
    }
    return read;
  }

  /** Returns the index of a resource, or undefined if its tile has not been read. */
  indexOf(resource) {
    return this.indexes.get(resource);
  }

  /**
   * Returns the index of a resource that had the index `former` before `growth` resources were added, at the top or
   * at the end; undefined if it is not found near these places.
   */
  async find(resource, former, growth) {
    for (let distance = 0; distance <= searchedBlocks * blockSize; distance += blockSize) {
      for (const place of [former + growth, former]) {
        for (const index of [place - distance, place + distance]) {
          if (index >= 0) await this.load(index, index + 1);
          if (this.indexes.has(resource)) return this.indexOf(resource);
        }
      }
    }
    return undefined;
  }

  /** Describes the place of the tile at an index, for `locate` of a later view; undefined if it has not been read. */
  place(index) {
    const tile = this.at(index);
    return tile && { id: tile.id, index, total: this.total };
  }

  /** Returns the index of a resource that had this place in an earlier view; -1 if it is not found. */
  async locate({ id, index, total }) {
    return await this.find(id, index, this.total - total) ?? -1;
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
    for (const block of blocks) {
      const [first, last] = [block * blockSize, (block + 1) * blockSize];
      for (let row = first; row < last; row += rowBlockSize) this.rowBlocks.delete(row / rowBlockSize);
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
      // imgdld has discarded the view: it was not used for long, or imgdld restarted.
      if (problem.status !== 410 || view !== this.view) throw problem;
      await this.open();
      this.onLoad(0, this.total);
      return;
    }
    if (view !== this.view) return;
    this.#keep(block, columns);
    this.onLoad(columns.from, columns.from + columns.ids.length);
  }

  #keep(block, columns) {
    const [codes, ratios, hashes] = [columns.states, columns.ratios, columns.hashes].map(fromBase64);
    let offset = 0;
    this.blocks.delete(block);
    this.blocks.set(block, columns.ids.map((id, place) => {
      this.indexes.set(id, columns.from + place);
      const start = offset + 1;
      offset = start + hashes[offset];
      return {
        id,
        state: codes[place],
        ratio: ratios[place] / 64,
        hash: offset > start ? hashes.subarray(start, offset) : null,
        color: offset > start ? averageColor(hashes, start) : '',
        version: columns.thumbnails[place],
        text: columns.texts[place] ?? '',
        badge: columns.badges?.[place] ?? '',
      };
    }));
    this.#forgetOldest();
  }

  // Rows: all data of a resource, for lists and tables.

  /** Returns the row of a resource, or undefined if it has not been read. */
  rowAt(index) {
    const id = this.at(index)?.id;
    return this.rowBlocks.get(Math.floor(index / rowBlockSize))?.get(id);
  }

  /** Reads the rows of a range that have not been read yet, with their tiles. */
  async loadRows(from, to) {
    await this.load(from, to);
    const missing = [];
    for (let block = Math.floor(from / rowBlockSize); block * rowBlockSize < Math.min(this.total, to);
      block += 1) {
      if (!this.rowBlocks.has(block)) missing.push(this.#readRows(block));
    }
    await Promise.all(missing);
  }

  /** Returns the rows of a range without keeping them. */
  async rows(from, count) {
    const { view } = this;
    const read = () => call('GET', `/v1/views/${this.view}/resources?from=${from}&count=${count}`);
    try {
      return (await read()).items;
    } catch (problem) {
      if (problem.status !== 410) throw problem;
      // Another request may have made the discarded view again.
      if (view === this.view) {
        await this.open();
        this.onLoad(0, this.total);
      }
      return (await read()).items;
    }
  }

  async #readRows(block) {
    const { view } = this;
    // The empty block marks the request as made.
    this.rowBlocks.set(block, new Map());
    try {
      const items = await this.rows(block * rowBlockSize, rowBlockSize);
      if (view !== this.view) return;
      this.rowBlocks.set(block, new Map(items.map((item) => [item.id, item])));
      while (this.rowBlocks.size > keptRowBlocks) {
        this.rowBlocks.delete(this.rowBlocks.keys().next().value);
      }
      this.onLoad(block * rowBlockSize, (block + 1) * rowBlockSize);
    } catch (problem) {
      this.rowBlocks.delete(block);
      throw problem;
    }
  }

  #forgetOldest() {
    while (this.blocks.size > keptBlocks) {
      const [block, tiles] = this.blocks.entries().next().value;
      this.blocks.delete(block);
      for (const { id } of tiles) this.indexes.delete(id);
    }
  }
}

/** The average colour of a ThumbHash at `start`. */
function averageColor(hashes, start) {
  const bits = hashes[start] | hashes[start + 1] << 8 | hashes[start + 2] << 16;
  const lightness = (bits & 63) / 63;
  const redness = (bits >> 12 & 63) / 31.5 - 1;
  const blue = lightness - 2 / 3 * ((bits >> 6 & 63) / 31.5 - 1);
  const red = (3 * lightness - blue + redness) / 2;
  return `rgb(${[red, red - redness, blue].map((part) => Math.round(255 * part))})`;
}
