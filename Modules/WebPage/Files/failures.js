// The names, reasons and hosts of the failed resources on the screen.

import { batch } from './api.js';
import { hostOf, nameOf } from './text.js';

/** The number of failures that are kept. */
const kept = 1000;

export class Failures {
  /** `onLoad` is called with the resources whose failures have been read. */
  constructor(onLoad) {
    this.onLoad = onLoad;
    this.known = new Map();
  }

  /** The name, the reason and the host of a failed resource; undefined until they are read. */
  of({ id }) {
    return this.known.get(id);
  }

  /** Forgets resources that have changed; nothing stays known if `ids` is null. */
  forget(ids) {
    if (ids === null) this.known.clear();
    else for (const id of ids) this.known.delete(id);
  }

  /** Reads the failures of these resources, at most 100, unless they are known. `onLoad` may want the others. */
  async want(tiles) {
    const ids = tiles.map(({ id }) => id).filter((id) => !this.known.has(id)).slice(0, 100);
    if (ids.length === 0) return;
    const reading = {};
    for (const id of ids) this.known.set(id, reading);
    const resources = await batch(ids.map((id) => `/v1/resources/${id}`)).catch(() => null);
    ids.forEach((id, place) => {
      // The resource may have changed meanwhile.
      if (this.known.get(id) !== reading) return;
      const resource = resources?.[place];
      // One that does not fail any more is not read again before its next change.
      if (resource?.state === 'failed') this.known.set(id, failureOf(resource));
      else if (!resources) this.known.delete(id);
    });
    if (!resources) return;
    while (this.known.size > kept) this.known.delete(this.known.keys().next().value);
    this.onLoad(ids);
  }
}

function failureOf({ title, file, url, reason }) {
  const [shown] = (reason ?? '').split('; --password-file');
  return { name: nameOf({ title, file, url }), reason: shown, host: hostOf(url) };
}
