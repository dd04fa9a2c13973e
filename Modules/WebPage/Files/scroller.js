// Rows of one height of which only the visible ones exist as elements.

/** The longest element that browsers lay out exactly, in CSS pixels at a device pixel ratio of 1. */
const longestSpacer = 8_000_000;
/** The number of boxes a second by which rows move so fast that their pictures cannot be recognised. */
const flingSpeed = 5;

/**
 * A scrolling box with any number of rows, which have the height `--row` of the style sheet.
 *
 * A box that is higher than browsers can scroll is compressed: the scroll bar covers all rows, and the rows
 * near the visible ones keep their distance in pixels.
 */
export class VirtualRows {
  /**
   * @param {string} options.label The name of the box for screen readers.
   * @param {() => HTMLElement} options.create Creates an empty row.
   * @param {(row: HTMLElement, index: number) => void} options.fill Shows the contents of a row.
   * @param {() => void} [options.onScroll] Called when other rows are visible.
   */
  constructor({ label, className, create, fill, onScroll }) {
    Object.assign(this, { create, fill, onScroll });
    this.rowCount = 0;
    this.room = 0;
    this.top = 0;
    this.rows = new Map();
    this.spare = [];
    this.element = document.createElement('div');
    this.element.className = className;
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'grid');
    this.element.setAttribute('aria-label', label);
    this.spacer = this.element.appendChild(document.createElement('div'));
    this.spacer.setAttribute('role', 'presentation');
    this.element.addEventListener('scroll', () => this.#scheduleDraw());
    // After small movements, the scroll bar is set to match the rows.
    this.element.addEventListener('scrollend', () => this.#scrollTo(this.#top()));
    new ResizeObserver(() => this.layOut()).observe(this.element);
  }

  setRowCount(count) {
    this.rowCount = count;
    this.element.setAttribute('aria-rowcount', count);
    this.layOut();
    this.refreshRows();
  }

  /** Fills a row again, or all visible rows. */
  refreshRows(index) {
    if (index === undefined) {
      for (const [each, row] of this.rows) this.#show(row, each);
    } else if (this.rows.has(index)) {
      this.#show(this.rows.get(index), index);
    }
  }

  /** The indexes of the visible rows when they were last drawn: the first one, and the one behind the last. */
  get visibleRows() {
    const first = Math.floor(this.top / this.rowHeight);
    const last = Math.ceil((this.top + this.room) / this.rowHeight);
    return [Math.max(0, first), Math.min(this.rowCount, last)];
  }

  /** The number of whole rows that fit into the box. */
  get rowsOfPage() {
    return Math.max(1, Math.floor(this.room / this.rowHeight));
  }

  /** Scrolls to a row, unless it is visible. */
  reveal(index) {
    const [first, last] = [index * this.rowHeight, (index + 1) * this.rowHeight];
    const top = this.#top();
    const { room } = this;
    if (first < top) this.#scrollTo(first);
    else if (last > top + room) this.#scrollTo(last - room);
    this.draw();
  }

  // Geometry. `height` is that of all rows, `shown` that of the spacer, `room` that of the box, and `top` the
  // distance of the viewport from the first row. A browser computes its layout again when a script reads the
  // scroll position after a change, so that the position is read once per drawing.

  layOut() {
    this.room = this.element.clientHeight;
    this.rowHeight = parseFloat(getComputedStyle(this.element).getPropertyValue('--row')) || 44;
    const anchor = this.#top();
    this.height = this.rowCount * this.rowHeight;
    this.shown = Math.min(this.height, Math.floor(longestSpacer / Math.max(1, devicePixelRatio)));
    this.spacer.style.height = `${this.shown}px`;
    this.#scrollTo(anchor);
    this.draw();
  }

  /** Reads the scroll position, and returns `top`. */
  #top() {
    this.scrolled = this.element.scrollTop;
    this.top = this.#topAt(this.scrolled);
    return this.top;
  }

  #topAt(scrolled) {
    if (!(this.height > this.shown)) return scrolled;
    const { room } = this;
    const scale = (this.height - room) / (this.shown - room);
    if (scrolled <= 0) return 0;
    if (scrolled >= this.shown - room - 1) return this.height - room;
    // Small movements scroll the rows by as much, to follow wheel and finger.
    if (this.anchor && Math.abs(scrolled - this.anchor.scrolled) < 2 * room) {
      return clamp(this.anchor.top + scrolled - this.anchor.scrolled, 0, this.height - room);
    }
    this.anchor = { scrolled, top: clamp(scrolled * scale, 0, this.height - room) };
    return this.anchor.top;
  }

  #scrollTo(top) {
    if (!(this.height > this.shown)) {
      this.anchor = null;
      this.element.scrollTop = top;
      return;
    }
    const { room } = this;
    const scale = (this.height - room) / (this.shown - room);
    const bounded = clamp(top, 0, this.height - room);
    this.element.scrollTop = bounded / scale;
    this.anchor = { scrolled: this.element.scrollTop, top: bounded };
  }

  // Drawing

  #scheduleDraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    const top = this.#top();
    this.#measureSpeed(top);
    const [first, last] = this.visibleRows;
    const [from, to] = [Math.max(0, first - 4), Math.min(this.rowCount, last + 4)];
    for (const [index, row] of this.rows) {
      if (index >= from && index < to) continue;
      this.rows.delete(index);
      this.spare.push(row);
    }
    for (let index = from; index < to; index += 1) {
      let row = this.rows.get(index);
      if (!row) {
        row = this.spare.pop() ?? this.#createRow();
        this.rows.set(index, row);
        this.#show(row, index);
      }
      const offset = index * this.rowHeight - top + this.scrolled;
      row.style.transform = `translateY(${offset}px)`;
    }
    for (const row of this.spare) row.hidden = true;
    this.onScroll?.();
  }

  /** Sets `isFlung`: whether the rows moved fast in this frame and the last one, unlike after a single jump. */
  #measureSpeed(top) {
    const now = performance.now();
    const elapsed = now - this.drawn?.at;
    const isFast = elapsed < 50 && Math.abs(top - this.drawn.top) > flingSpeed * this.room * elapsed / 1000;
    this.isFlung = isFast && this.drawn.isFast;
    this.drawn = { at: now, top, isFast };
  }

  #createRow() {
    const row = this.create();
    row.setAttribute('role', 'row');
    return this.element.appendChild(row);
  }

  #show(row, index) {
    row.hidden = false;
    row.id = `row-${index}`;
    row.dataset.index = index;
    row.setAttribute('aria-rowindex', index + 1);
    this.fill(row, index);
  }
}

function clamp(value, least, most) {
  return Math.max(least, Math.min(value, most));
}
