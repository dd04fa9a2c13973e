// Items in rows of one height, with a selection; only the visible rows exist as elements.

/** The longest element that browsers lay out exactly, in CSS pixels at a device pixel ratio of 1. */
const longestSpacer = 8_000_000;
/** The number of boxes a second by which rows move so fast that their pictures cannot be recognised. */
const flingSpeed = 5;
/** Milliseconds without fast frames after which a fling is over. */
const slowingTime = 60;
/** The pixels at both ends that are not compressed. */
const exactEnd = 100_000;

/**
 * A scrolling box with any number of rows, which have the height `--row` of the style sheet, as an ARIA grid with
 * one tab stop. A row has `columns` items, of which one can be selected.
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
   * @param {() => void} [options.onSlow] Called when a fling has ended.
   */
  constructor({ label, className, create, fill, onScroll, onSlow }) {
    Object.assign(this, { create, fill, onScroll, onSlow });
    Object.assign(this, { rowCount: 0, count: 0, columns: 1, selected: -1, lifted: -1 });
    this.room = 0;
    this.top = 0;
    this.shift = 0;
    this.rows = new Map();
    this.spare = [];
    /** The headings and the indexes of the rows that they precede, in order. */
    this.starts = [];
    this.headingHeight = 0;
    this.element = document.createElement('div');
    this.element.className = className;
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'grid');
    this.element.setAttribute('aria-label', label);
    this.spacer = this.element.appendChild(document.createElement('div'));
    this.spacer.setAttribute('role', 'presentation');
    this.element.addEventListener('scroll', () => this.scheduleDraw());
    // After small movements, the scroll bar is set to match the rows.
    this.element.addEventListener('scrollend', () => this.#scrollTo(this.#top()));
    new ResizeObserver(() => this.layOut()).observe(this.element);
  }

  /** Shows another number of items; all rows are filled again. */
  setCount(count) {
    this.count = count;
    this.rowCount = Math.ceil(count / this.columns);
    this.element.setAttribute('aria-rowcount', this.rowCount);
    this.layOut();
    this.refreshRows();
    if (this.selected >= count) this.select(count - 1, true);
  }

  /**
   * Shows headings between rows. Screen readers pass over them, because rows say the same themselves.
   * @param {{index: number, title: string}[]} starts The headings, with the indexes of the rows that they precede.
   */
  setHeadings(starts) {
    while (this.starts.length > 0) this.starts.pop().element.remove();
    this.starts = starts.map(({ index, title }) => {
      const heading = document.createElement('div');
      heading.className = 'section';
      heading.textContent = title;
      heading.setAttribute('aria-hidden', 'true');
      this.spacer.before(heading);
      return { index, element: heading };
    });
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
    const first = Math.floor(this.#rowAt(this.top));
    const last = Math.ceil(this.#rowAt(this.top + this.room));
    return [Math.max(0, first), Math.min(this.rowCount, last)];
  }

  /** The number of whole rows that fit into the box. */
  get rowsOfPage() {
    return Math.max(1, Math.floor(this.room / this.rowHeight));
  }

  /** Fills an item again, if it is visible. */
  refresh(index) {
    this.refreshRows(index);
  }

  /** Selects an item; -1 selects none. Scrolls to it, unless it is visible or the selected item `hasMoved`. */
  select(index, hasMoved = false) {
    const old = this.selected;
    const focused = this.#focusedRow;
    this.selected = Math.max(-1, Math.min(index, this.count - 1));
    if (hasMoved && this.lifted >= 0) this.lift(this.selected);
    if (this.selected >= 0 && !hasMoved) this.reveal(Math.floor(this.selected / this.columns));
    else this.scheduleDraw();
    // The button of a row concerns the selected item only.
    const isLeft = focused >= 0 && focused !== Math.floor(this.selected / this.columns);
    if (isLeft) this.element.focus({ preventScroll: true });
    for (const each of [old, this.selected]) if (each >= 0) this.refresh(each);
    if (this.selected < 0) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', `${this.prefix}-${this.selected}`);
    if (old !== this.selected) this.onSelect?.();
  }

  /** Lifts an item, and fades the others; -1 ends the lift. */
  lift(index) {
    const old = this.lifted;
    this.lifted = index;
    this.element.classList.toggle('lifting', index >= 0);
    for (const each of [old, index]) if (each >= 0) this.refresh(each);
  }

  /** Shows in an item's element whether it is selected and lifted. */
  showSelection(item, index) {
    item.setAttribute('aria-selected', index === this.selected);
    item.classList.toggle('lifted', index === this.lifted);
  }

  /** Moves the selection. Returns whether the command is a movement. */
  move(command) {
    const { columns, count, selected } = this;
    const page = this.rowsOfPage * columns;
    const moves = {
      right: selected + 1,
      left: Math.max(0, selected - 1),
      down: selected < 0 ? 0 : selected + columns,
      up: selected < columns ? Math.max(0, selected) : selected - columns,
      pageDown: selected + page,
      pageUp: Math.max(0, selected - page),
      first: 0,
      last: count - 1,
    };
    if (!(command in moves)) return false;
    this.select(moves[command]);
    return true;
  }

  /** Adds the gestures to items that match a selector, for whose script the first screen does not wait. */
  async addGestures(selector, pull, openMenu) {
    const { onLongPress, onMenu, onPull } = await import('./gestures.js');
    const select = (item) => {
      const index = Number(item?.dataset.index ?? this.selected);
      if (index !== this.selected) this.select(index);
    };
    const menu = openMenu && ((item, place) => {
      select(item);
      const shown = this.rows.get(Math.floor(this.selected / this.columns)) ?? this.element;
      if (this.selected >= 0) openMenu(place ?? shown);
    });
    onLongPress(this.element, selector, (item) => {
      select(item);
      this.lift(this.selected);
    }, menu);
    if (menu) onMenu(this.element, selector, menu);
    if (pull) onPull(this.element, pull);
  }

  /** Scrolls to a row, unless it is visible. */
  reveal(index) {
    const last = this.#offsetOf(index) + this.rowHeight;
    const hasHeading = this.starts.some((start) => start.index === index);
    const first = last - this.rowHeight - (hasHeading ? this.headingHeight : 0);
    const top = this.#top();
    const { room } = this;
    if (first < top) this.#scrollTo(first);
    else if (last > top + room) this.#scrollTo(last - room);
    this.draw();
  }

  // Geometry. `height` is that of all rows, `shown` that of the spacer, `room` that of the box, `top` the distance
  // of the viewport from the first row, and `shift` that distance less the scroll position, a whole number so that
  // rows keep their places. A browser computes its layout again when a script reads the scroll position after a
  // change, so that it is read once per drawing.

  layOut() {
    this.room = this.element.clientHeight;
    const style = getComputedStyle(this.element);
    this.rowHeight = parseFloat(style.getPropertyValue('--row')) || 44;
    this.headingHeight = parseFloat(style.getPropertyValue('--section')) || 0;
    const { top } = this;
    this.height = this.#offsetOf(this.rowCount);
    this.shown = Math.min(this.height, Math.floor(longestSpacer / Math.max(1, devicePixelRatio)));
    this.spacer.style.height = `${this.shown}px`;
    this.placed = null;
    this.#scrollTo(top);
    this.draw();
  }

  /** The distance of a row from the beginning. */
  #offsetOf(index) {
    const before = this.starts.filter((start) => start.index <= index).length;
    return index * this.rowHeight + before * this.headingHeight;
  }

  /** The row at a distance from the beginning, as a number with a fraction; below a heading, the row that follows. */
  #rowAt(offset) {
    let row = offset / this.rowHeight;
    this.starts.forEach(({ index }, place) => {
      const end = index * this.rowHeight + (place + 1) * this.headingHeight;
      if (offset >= end - this.headingHeight) row = index + Math.max(0, offset - end) / this.rowHeight;
    });
    return row;
  }

  /** Reads the scroll position, and returns `top`. */
  #top() {
    const scrolled = this.element.scrollTop;
    const distance = Math.abs(scrolled - this.scrolled);
    this.scrolled = scrolled;
    if (!(this.height > this.shown) || scrolled <= 0) {
      this.shift = 0;
    } else if (scrolled >= this.shown - this.room - 1) {
      this.shift = this.height - this.shown;
    } else {
      // Small movements scroll the rows by as much, to follow wheel and finger.
      if (!(distance < 2 * this.room)) {
        this.shift = Math.round(this.#convert(scrolled, this.shown - this.room, this.height - this.room) - scrolled);
      }
      this.shift = clamp(this.shift, -Math.floor(scrolled), Math.floor(this.height - this.room - scrolled));
    }
    this.top = scrolled + this.shift;
    return this.top;
  }

  /** Converts a distance in `length` pixels to one in `other` pixels; both ends are not compressed. */
  #convert(distance, length, other) {
    const end = Math.min(exactEnd, (this.shown - this.room) / 4);
    const middle = clamp(distance - end, 0, length - 2 * end) * (other - 2 * end) / (length - 2 * end);
    return Math.min(distance, end) + middle + Math.max(0, distance - length + end);
  }

  #scrollTo(top) {
    if (!(this.height > this.shown)) {
      this.element.scrollTop = top;
      return;
    }
    const bounded = clamp(top, 0, this.height - this.room);
    this.element.scrollTop = this.#convert(bounded, this.height - this.room, this.shown - this.room);
    this.scrolled = this.element.scrollTop;
    this.shift = Math.round(bounded - this.scrolled);
  }

  /** Draws in the next frame. */
  scheduleDraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    const top = this.#top();
    const wasFlung = this.isFlung;
    this.#measureSpeed(top);
    this.onScroll?.();
    const isMoved = this.shift !== this.placed;
    this.placed = this.shift;
    const [first, last] = this.visibleRows;
    const [from, to] = [Math.max(0, first - 4), Math.min(this.rowCount, last + 4)];
    const indexes = this.#indexesFrom(from, to);
    this.#release(new Set(indexes));
    // Screen readers follow the document, so that its order is that of the rows. Rows that stay are not moved.
    let before = this.spacer;
    for (const index of indexes) {
      const known = this.rows.get(index);
      const row = known ?? this.spare.shift() ?? this.#createRow();
      if (!known) {
        this.rows.set(index, row);
        if (shownBefore(row) !== before) before.after(row);
        this.#show(row, index);
      }
      // A row that stays far away waits beside the others: there, it would make the box higher.
      const place = clamp(index, from - 1, to);
      if (!known || isMoved || row.place !== place) {
        row.place = place;
        row.style.transform = `translateY(${this.#offsetOf(place) - this.shift}px)`;
      }
      before = row;
    }
    if (isMoved) this.#placeHeadings();
    for (const row of this.spare) {
      if (row.hidden) continue;
      row.hidden = true;
      for (const each of [row, ...row.children]) forgetItem(each);
    }
    if (wasFlung && !this.isFlung) this.onSlow?.();
  }

  /** Places the headings; one that is far away would make the box higher. */
  #placeHeadings() {
    for (const { index, element } of this.starts) {
      const place = this.#offsetOf(index) - this.headingHeight - this.shift;
      element.hidden = place < 0 || place + this.headingHeight > this.shown;
      element.style.transform = `translateY(${place}px)`;
    }
  }

  /**
   * The indexes of the rows that exist as elements, in order: these, and those with the selected item and with the
   * focus, where screen readers and keys are.
   */
  #indexesFrom(from, to) {
    const kept = [Math.floor(this.selected / this.columns), this.#focusedRow];
    const indexes = new Set(kept.filter((index) => index >= 0 && index < this.rowCount));
    for (let index = from; index < to; index += 1) indexes.add(index);
    return [...indexes].sort((one, other) => one - other);
  }

  /** The index of the row that contains the focus; -1 if the box itself or another element has it. */
  get #focusedRow() {
    const row = document.activeElement?.closest('[role=row]');
    const index = Number(row?.dataset.index ?? -1);
    return row && this.rows.get(index) === row ? index : -1;
  }

  /** Makes the other rows spare, in the order of the document, so that few of them need to be moved. */
  #release(indexes) {
    const released = [...this.rows].filter(([index]) => !indexes.has(index)).sort(([one], [other]) => one - other);
    for (const [index, row] of released) {
      this.rows.delete(index);
      if (row.contains(document.activeElement)) this.element.focus({ preventScroll: true });
    }
    this.spare.unshift(...released.map(([, row]) => row));
  }

  /**
   * Sets `isFlung`: whether the rows move fast, in this frame or, after two such frames, a short time ago. Another
   * frame follows then, which may end it.
   */
  #measureSpeed(top) {
    const now = performance.now();
    const elapsed = now - this.drawnAt;
    const isFast = elapsed < 50 && Math.abs(top - this.drawnTop) > flingSpeed * this.room * elapsed / 1000;
    if (isFast && this.isFast) this.slowAt = now + slowingTime;
    Object.assign(this, { drawnAt: now, drawnTop: top, isFast, isFlung: isFast || now < this.slowAt });
    if (this.isFlung) this.scheduleDraw();
  }

  #createRow() {
    const row = this.create();
    row.setAttribute('role', 'row');
    return row;
  }

  #show(row, index) {
    row.hidden = false;
    row.id = `row-${index}`;
    row.dataset.index = index;
    row.setAttribute('aria-rowindex', index + 1);
    this.fill(row, index);
  }
}

/** Removes the id of a hidden element, because the element that shows the item now has the same. */
export function forgetItem(element) {
  element.removeAttribute('id');
  element.removeAttribute('aria-selected');
}

/** The visible element before a row. */
function shownBefore(row) {
  let before = row.previousElementSibling;
  while (before?.hidden) before = before.previousElementSibling;
  return before;
}

function clamp(value, least, most) {
  return Math.max(least, Math.min(value, most));
}
