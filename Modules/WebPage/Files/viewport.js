// Tells imgdld which resources are visible: it downloads first what viewers see.

import { call } from './api.js';
import { findQueued } from './find.js';

/** Milliseconds between reports of the visible range. */
const renewalTime = 20_000;

/** The visible range of a tab; each tab is a viewer. */
export class Viewport {
  /** The screen has a record, the grid, its tiles, and whether these are all of the record's, in its order. */
  constructor(screen) {
    this.screen = screen;
    this.path = `/v1/viewers/${Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)}`;
    this.renewing = setInterval(() => this.tell(), renewalTime);
  }

  close() {
    this.isClosed = true;
    clearInterval(this.renewing);
    call('DELETE', this.path).catch(() => {});
  }

  /** Reports the visible range, which imgdld downloads first; of a lazy record, nothing else. */
  async tell() {
    const { record, grid, tiles, isNatural } = this.screen;
    if (document.hidden || grid.count === 0) return;
    const { visible } = grid;
    try {
      const range = isNatural ? visible : await findQueued(tiles, visible);
      // Meanwhile, other tiles may have become visible.
      if (!range || this.isClosed || String(visible) !== String(grid.visible)) return;
      const [from, to] = range;
      await call('PUT', `${this.path}/records/${record}`, { from, to });
    } catch {
      // The range is reported again.
    }
  }
}
