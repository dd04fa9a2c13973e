// The covers of records: the thumbnail of an image of each, and the host from which it came.

import { batch } from './api.js';
import { unfinished } from './arrangement.js';
import { hostOf } from './text.js';

/** Milliseconds without scrolling after which covers are requested. */
const restingTime = 80;
/** Milliseconds from one search for the cover of a record to the next: during a download, each might find one. */
const searchingPause = 3000;
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
    this.isClosed = true;
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
    this.resting = null;
    if (this.isClosed) return;
    const outdated = records.filter((record) => isOutdated(record, known.get(record.id)));
    if (outdated.length === 0) return;
    const earliest = Date.now() - searchingPause;
    const due = outdated.filter(({ id }) => !(known.get(id)?.searchedAt > earliest)).slice(0, 100);
    this.resting = setTimeout(async () => {
      const own = this.resting;
      await this.#load(due);
      // Other records may be wanted by now.
      if (this.resting === own) this.want(records);
    }, due.length > 0 ? restingTime : searchingPause);
  }

  /** Tells that a cover cannot be loaded, because its file was replaced. */
  reportMissing(id) {
    if (known.has(id)) Object.assign(known.get(id), { address: undefined, finished: -1 });
  }

  async #load(records) {
    if (records.length === 0) return;
    const searchedAt = Date.now();
    for (const record of records) {
      const { id, counts } = record;
      const isSettled = unfinished(record) === 0;
      known.set(id, { ...known.get(id), finished: counts.finished, isSettled, searchedAt });
    }
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
      for (const { id } of records) known.set(id, { finished: -1, searchedAt });
      return;
    }
    this.onLoad();
  }
}

/**
 * Whether a cover is not known, or another number of images is finished than when none was found. The slice that shows
 * a series is chosen again when all its slices are there.
 */
function isOutdated(record, cover) {
  const { counts, isSeries } = record;
  if (!cover || counts.finished < cover.finished) return true;
  if (isSeries && !cover.isSettled && unfinished(record) === 0) return true;
  return !cover.address && counts.finished > cover.finished;
}
