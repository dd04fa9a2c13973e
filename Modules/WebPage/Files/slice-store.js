// The loaded slices of a series: files and decoded pictures, nearest to the position first, within limits of memory.

import { states } from './tiles.js';

/** The memory for decoded slices in bytes; beyond it, the farthest are dropped. */
const decodedLimit = 384 << 20;
/** The memory for encoded slices in bytes. */
const storedLimit = 512 << 20;
/** The number of slices that are loaded at once: two of six connections are left for events and requests. */
const loadLimit = 4;
/** The number of slices that are decoded at the same time. */
const decodeLimit = 4;

export class SliceStore {
  /** The tiles of the record; they change when the record is opened again. */
  tiles = null;
  position = 0;
  /** The direction of the last movement: 1 or -1. */
  heading = 1;
  /** The index of the slice that is shown, which is not dropped; -1 for none. */
  shownIndex = -1;
  #blobs = new Map();
  #bitmaps = new Map();
  #problems = new Map();
  #loading = new Map();
  #decoding = new Set();
  #decodedBytes = 0;
  #storedBytes = 0;
  /** The memory of one decoded slice in bytes, known from the last one. */
  #sliceBytes = 4;

  /** Calls `onChange(index)` with the index of a slice that was decoded, and without one when a file was stored. */
  constructor(onChange) {
    this.onChange = onChange;
  }

  close() {
    this.isClosed = true;
    for (const controller of this.#loading.values()) controller.abort();
    for (const { bitmap } of this.#bitmaps.values()) bitmap.close();
  }

  isStored(index) { return this.#blobs.has(index); }

  bitmapAt(index) { return this.#bitmaps.get(index)?.bitmap; }

  /** Returns why a slice cannot be shown. */
  problemAt(index) { return this.#problems.get(index); }

  /** Lets a slice be loaded again that could not be. */
  forgetProblem(index) { this.#problems.delete(index); }

  forgetProblems() { this.#problems.clear(); }

  /** Returns the index of the decoded slice nearest to the position; -1 if none is decoded. */
  nearest() {
    for (const index of this.#outwards()) if (this.#bitmaps.has(index)) return index;
    return -1;
  }

  /** Forgets the slices of a range whose files were replaced. */
  forgetReplaced(from, to) {
    for (let index = from; index < Math.min(to, this.tiles.total); index += 1) {
      const tile = this.tiles.at(index);
      const known = this.#blobs.get(index);
      if (tile && known && known.version !== tile.version) this.#forget(index);
    }
  }

  /** The indexes by distance from the position, first in the direction of movement. */
  * #outwards() {
    if (this.tiles.total === 0) return;
    yield this.position;
    for (let distance = 1; distance < this.tiles.total; distance += 1) {
      for (const side of [this.heading, -this.heading]) {
        const index = this.position + side * distance;
        if (index >= 0 && index < this.tiles.total) yield index;
      }
    }
  }

  /** Loads and decodes the missing slices nearest to the position. */
  work() {
    if (this.isClosed || !this.tiles) return;
    // All slices are decoded or have failed.
    if (this.#bitmaps.size + this.#problems.size >= this.tiles.total) return;
    let decodable = 0;
    for (const index of this.#outwards()) {
      const isRoomForBlob = this.#storedBytes < storedLimit;
      if (!this.#blobs.has(index)) {
        if (this.#loading.size < loadLimit && isRoomForBlob) this.#load(index);
      } else if (!this.#bitmaps.has(index) && !this.#decoding.has(index)
        && this.#decoding.size < decodeLimit && decodable + this.#sliceBytes <= decodedLimit) {
        this.#decode(index);
      }
      decodable += this.#sliceBytes;
      const isBusy = this.#loading.size >= loadLimit || !isRoomForBlob;
      if (isBusy && (this.#decoding.size >= decodeLimit || decodable > decodedLimit)) break;
    }
    this.#forgetDistant();
  }

  async #load(index) {
    const tile = this.tiles.at(index);
    if (!tile || this.#loading.has(index) || this.#problems.has(index)) return;
    const isReady = tile.version || tile.state === states.finished;
    if (!isReady) return;
    const controller = new AbortController();
    this.#loading.set(index, controller);
    try {
      const version = tile.version ? `?v=${tile.version}` : '';
      const response = await fetch(`/v1/resources/${tile.id}/pages/1/image${version}`, { signal: controller.signal });
      if (!response.ok) throw new Error('The image cannot be loaded.');
      const blob = await response.blob();
      // The slice may have been replaced, or have moved, while it was loaded; it is then loaded again.
      if (this.tiles.at(index)?.version === tile.version) {
        this.#blobs.set(index, { blob, version: tile.version });
        this.#storedBytes += blob.size;
      }
    } catch (problem) {
      if (problem.name !== 'AbortError' && !(problem instanceof TypeError)) {
        this.#problems.set(index, problem.message);
      }
    }
    this.#loading.delete(index);
    if (this.isClosed) return;
    if (this.#blobs.has(index) && this.#decoding.size < decodeLimit) this.#decode(index);
    this.work();
    this.onChange();
  }

  async #decode(index) {
    const { blob } = this.#blobs.get(index);
    this.#decoding.add(index);
    try {
      const bitmap = await createImageBitmap(blob);
      if (this.isClosed || this.#blobs.get(index)?.blob !== blob) {
        bitmap.close();
      } else {
        const size = 4 * bitmap.width * bitmap.height;
        this.#bitmaps.set(index, { bitmap, size });
        this.#decodedBytes += size;
        this.#sliceBytes = size;
      }
    } catch {
      this.#problems.set(index, 'The image cannot be shown.');
    }
    this.#decoding.delete(index);
    if (this.isClosed) return;
    this.onChange(index);
    this.work();
  }

  #forget(index) {
    const known = this.#bitmaps.get(index);
    if (known) {
      known.bitmap.close();
      this.#decodedBytes -= known.size;
      this.#bitmaps.delete(index);
    }
    this.#storedBytes -= this.#blobs.get(index)?.blob.size ?? 0;
    this.#blobs.delete(index);
    this.#problems.delete(index);
  }

  #forgetDistant() {
    if (this.#decodedBytes <= decodedLimit) return;
    const distant = [...this.#bitmaps.keys()].sort(
      (one, other) => Math.abs(other - this.position) - Math.abs(one - this.position));
    for (const index of distant) {
      if (this.#decodedBytes <= decodedLimit) break;
      const { bitmap, size } = this.#bitmaps.get(index);
      if (index === this.shownIndex) continue;
      bitmap.close();
      this.#decodedBytes -= size;
      this.#bitmaps.delete(index);
    }
  }
}
