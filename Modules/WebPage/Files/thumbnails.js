// Thumbnails, loaded in groups: one request for each image would take many round trips.

import { reportEndedSession } from './api.js';
import { toBase64 } from './text.js';

const { early } = window;
const { groupSize, thumbnailsPath } = early;

/** The number of simultaneous requests. */
const requestLimit = 2;
/** Milliseconds between requests. */
const requestInterval = 60;
/** The number of kept thumbnails, of about 10 kB each. */
const keptCount = 600;

export class Thumbnails {
  /** `onLoad` is called with the resources whose thumbnails have arrived. */
  constructor(onLoad) {
    this.onLoad = onLoad;
    /** The addresses of thumbnails, or their bytes, by `ID.VERSION`, the least recently used first. */
    this.addresses = new Map();
    this.requests = new Set();
    this.wanted = [];
  }

  /** Aborts the requests. */
  close() {
    this.want([]);
  }

  /** Returns the address of a thumbnail; undefined while it is not loaded, or if there is none. */
  addressOf({ id, version }) {
    const key = `${id}.${version}`;
    const known = this.addresses.get(key);
    if (known === undefined) return undefined;
    // A data URL needs no other process, unlike a blob, of which 64 take 70 ms.
    const address = typeof known === 'string' ? known : `data:${typeOf(known)};base64,${toBase64(known)}`;
    this.addresses.delete(key);
    this.addresses.set(key, address);
    return address;
  }

  /** Loads the thumbnails of these tiles in order; requests for others are aborted. */
  want(tiles) {
    this.wanted = tiles.filter(({ version }) => version).map(({ id, version }) => `${id}.${version}`);
    const wanted = new Set(this.wanted);
    for (const request of this.requests) {
      if (!request.keys.some((key) => wanted.has(key))) request.controller.abort();
    }
    this.#start();
  }

  #start() {
    if (this.waiting || this.wanted.length === 0) return;
    const now = performance.now();
    if (now < (this.earliest ?? 0)) {
      this.waiting = setTimeout(() => {
        this.waiting = null;
        this.#start();
      }, this.earliest - now);
      return;
    }
    const first = early.takeThumbnails();
    if (first) this.#load(first.keys, first.response);
    const running = new Set([...this.requests].flatMap(({ keys }) => keys));
    const missing = this.wanted.filter((key) => !this.addresses.has(key) && !running.has(key));
    while (missing.length > 0 && this.requests.size < requestLimit) {
      this.earliest = now + requestInterval;
      this.#load(missing.splice(0, groupSize));
    }
  }

  async #load(keys, earlyResponse) {
    const request = { keys, controller: new AbortController() };
    this.requests.add(request);
    try {
      const response = await (earlyResponse
        ?? fetch(thumbnailsPath(keys), { signal: request.controller.signal }));
      if (response.status === 401) reportEndedSession();
      if (response.ok) this.#keep(keys, await response.arrayBuffer());
    } catch {
      // Aborted, or imgdld is away: a later `want` requests them again.
      this.wanted = this.wanted.filter((key) => !keys.includes(key));
    }
    this.requests.delete(request);
    this.#start();
  }

  #keep(keys, buffer) {
    const view = new DataView(buffer);
    let offset = 0;
    for (const key of keys) {
      const length = view.getUint32(offset, true);
      const bytes = new Uint8Array(buffer, offset + 4, length);
      offset += 4 + length;
      this.addresses.set(key, length > 0 ? bytes : addressOfOne(key));
    }
    for (const key of this.addresses.keys()) {
      if (this.addresses.size <= keptCount) break;
      this.addresses.delete(key);
    }
    this.onLoad(keys.map((key) => Number(key.split('.')[0])));
  }
}

/** The address of one thumbnail; imgdld makes an evicted one again. */
function addressOfOne(key) {
  const [id, version] = key.split('.');
  return `/v1/resources/${id}/pages/1/thumbnail?v=${version}`;
}

function typeOf(bytes) {
  return bytes[0] === 0x89 ? 'image/png' : 'image/jpeg';
}
