// A list of any length of which only the visible rows exist as elements.

/** The longest element that browsers lay out exactly, in CSS pixels at a device pixel ratio of 1. */
const longestSpacer = 8_000_000;

/**
 * A vertical list of rows of one height, as an ARIA grid with one tab stop.
 *
 * A list that is higher than browsers can scroll is compressed: the scroll bar covers the whole list, and
 * the rows near the visible ones keep their distance in pixels.
 */
export class VirtualList {
  /**
   * @param {object} options
   * @param {string} options.label The name of the list for screen readers.
   * @param {() => HTMLElement} options.create Creates an empty row.
   * @param {(row: HTMLElement, index: number) => void} options.fill Shows an item in a row.
   * @param {(index: number) => void} options.onSelect Called when the selection changes.
   * @param {(index: number) => void} options.onOpen Called for Enter or a double click.
   */
  constructor({ label, create, fill, onSelect, onOpen }) {
    Object.assign(this, { create, fill, onSelect, onOpen });
    this.count = 0;
    this.selected = -1;
    this.rows = new Map();
    this.spare = [];
    this.element = document.createElement('div');
    this.element.className = 'list';
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'grid');
    this.element.setAttribute('aria-label', label);
    this.spacer = this.element.appendChild(document.createElement('div'));
    this.spacer.setAttribute('role', 'presentation');
    this.element.addEventListener('scroll', () => this.#scheduleDraw());
    // The scroll bar agrees with the rows again, after movements that followed the finger.
    this.element.addEventListener('scrollend', () => this.#scrollTo(this.#top()));
    this.element.addEventListener('keydown', (event) => this.#press(event));
    this.element.addEventListener('click', (event) => this.#click(event));
    this.element.addEventListener('dblclick', () => this.#open());
    new ResizeObserver(() => this.#layOut()).observe(this.element);
  }

  /** Shows another number of items; all rows are filled again. */
  setCount(count) {
    this.count = count;
    this.element.setAttribute('aria-rowcount', count);
    if (this.selected >= count) this.select(count - 1);
    this.#layOut();
    this.refresh();
  }

  /** Fills the rows of an item again, or all rows. */
  refresh(index) {
    if (index === undefined) {
      for (const [each, row] of this.rows) this.#show(row, each);
    } else if (this.rows.has(index)) {
      this.#show(this.rows.get(index), index);
    }
  }

  /** Selects an item, and scrolls to it if it is not visible; -1 selects none. */
  select(index) {
    const old = this.selected;
    this.selected = Math.min(index, this.count - 1);
    if (this.selected >= 0) this.#reveal(this.selected);
    this.refresh(old);
    this.refresh(this.selected);
    this.#announceSelection();
    if (old !== this.selected) this.onSelect(this.selected);
  }

  /** The indexes of the visible items: the first one, and the one behind the last. */
  get visible() {
    const first = Math.floor(this.#top() / this.rowHeight);
    const last = Math.ceil((this.#top() + this.element.clientHeight) / this.rowHeight);
    return [Math.max(0, first), Math.min(this.count, last)];
  }

  // Geometry. `height` is that of all rows, `shown` that of the spacer.

  #layOut() {
    this.rowHeight = parseFloat(getComputedStyle(this.element).getPropertyValue('--row')) || 44;
    const anchor = this.#top();
    this.height = this.count * this.rowHeight;
    this.shown = Math.min(this.height, Math.floor(longestSpacer / Math.max(1, devicePixelRatio)));
    this.spacer.style.height = `${this.shown}px`;
    this.#scrollTo(anchor);
    this.#draw();
  }

  /** The distance of the viewport from the first row. */
  #top() {
    const scrolled = this.element.scrollTop;
    if (!(this.height > this.shown)) return scrolled;
    const room = this.element.clientHeight;
    const scale = (this.height - room) / (this.shown - room);
    if (scrolled <= 0) return 0;
    if (scrolled >= this.shown - room - 1) return this.height - room;
    // Small movements are those of the rows, so that they follow the wheel and the finger.
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
    const room = this.element.clientHeight;
    const scale = (this.height - room) / (this.shown - room);
    const bounded = clamp(top, 0, this.height - room);
    this.element.scrollTop = bounded / scale;
    this.anchor = { scrolled: this.element.scrollTop, top: bounded };
  }

  #reveal(index) {
    const [first, last] = [index * this.rowHeight, (index + 1) * this.rowHeight];
    const top = this.#top();
    const room = this.element.clientHeight;
    if (first < top) this.#scrollTo(first);
    else if (last > top + room) this.#scrollTo(last - room);
    this.#draw();
  }

  // Drawing

  #scheduleDraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#draw();
    });
  }

  #draw() {
    const top = this.#top();
    const [first, last] = this.visible;
    const [from, to] = [Math.max(0, first - 4), Math.min(this.count, last + 4)];
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
      const offset = index * this.rowHeight - top + this.element.scrollTop;
      row.style.transform = `translateY(${offset}px)`;
    }
    for (const row of this.spare) row.hidden = true;
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
    row.setAttribute('aria-selected', index === this.selected);
    this.fill(row, index);
  }

  #announceSelection() {
    if (this.selected < 0) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', `row-${this.selected}`);
  }

  // Input

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
    const moves = {
      ArrowDown: this.selected + 1,
      ArrowUp: Math.max(0, this.selected - 1),
      PageDown: this.selected + page,
      PageUp: Math.max(0, this.selected - page),
      Home: 0,
      End: this.count - 1,
      Escape: -1,
    };
    if (event.key in moves) this.select(moves[event.key]);
    else if (event.key === 'Enter') this.#open();
    else return;
    event.preventDefault();
  }

  #click(event) {
    const row = event.target.closest('[role=row]');
    if (row) this.select(Number(row.dataset.index));
  }

  #open() {
    if (this.selected >= 0) this.onOpen(this.selected);
  }
}

function clamp(value, least, most) {
  return Math.max(least, Math.min(value, most));
}
