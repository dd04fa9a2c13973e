// The covers of records: the thumbnail of an image of each, and the host from which it came.

import { batch } from './api.js';
import { hostOf } from './text.js';

/** Milliseconds without scrolling after which covers are requested. */
const restingTime = 80;
/** The number of resources among which the first finished one is looked for. */
const searched = 8;
/** The largest number of slices before the one that is shown: the first slices of a series are nearly empty. */
const searchedSlices = 150;

/** The covers by record, which stay known when another screen is shown. */
const known = new Map();

export class Covers {
  /** `onLoad` is called when covers have arrived. */
  constructor(onLoad) {
    this.onLoad = onLoad;
  }

  close() {
    clearTimeout(this.resting);
  }

  /** Returns the address of the thumbnail, if there is one, and the host of a record; undefined until they are read. */
  of({ id }) {
    return known.get(id);
  }

  /** Forgets the covers of records that do not exist any more. */
  forgetAll() {
    known.clear();
  }

  /** Requests the covers of these records that are not known, or that may be there by now. */
  want(records) {
    clearTimeout(this.resting);
    const missing = records.filter((record) => isOutdated(record, known.get(record.id))).slice(0, 100);
    if (missing.length > 0) this.resting = setTimeout(() => this.#load(missing), restingTime);
  }

  /** Tells that a cover cannot be loaded, because its file was replaced. */
  reportMissing(id) {
    if (known.has(id)) known.get(id).address = undefined;
  }

  async #load(records) {
    for (const { id, counts } of records) known.set(id, { ...known.get(id), finished: counts.finished });
    try {
      const lists = await batch(records.map(({ id, isSeries, counts }) => {
        const count = isSeries ? Math.min(searchedSlices, Math.ceil(counts.total / 2)) : searched;
        return `/v1/records/${id}/resources?limit=${Math.max(1, count)}`;
      }));
      const shown = lists.map((list, place) => {
        const finished = (list?.items ?? []).filter(({ state }) => state === 'finished');
        return records[place].isSeries ? finished.at(-1) : finished[0];
      });
      const found = shown.filter(Boolean);
      const pages = found.length === 0 ? [] : await batch(found.map(({ id }) => `/v1/resources/${id}/pages?limit=1`));
      records.forEach(({ id }, place) => {
        const page = pages[found.indexOf(shown[place])];
        const [first] = lists[place]?.items ?? [];
        Object.assign(known.get(id) ?? {}, { address: page?.items[0]?.thumbnail, host: first && hostOf(first.url) });
      });
    } catch {
      for (const { id } of records) known.delete(id);
      return;
    }
    this.onLoad();
  }
}

/** Whether a cover is not known, or another number of images is finished than when none was found. */
function isOutdated({ counts }, cover) {
  if (!cover || counts.finished < cover.finished) return true;
  return !cover.address && counts.finished > cover.finished;
}
