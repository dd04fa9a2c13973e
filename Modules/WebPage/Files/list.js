// A list of any length, with a selection.

import { onLongPress, onPull } from './gestures.js';
import { VirtualRows } from './scroller.js';

/** A vertical list of items, as an ARIA grid with one tab stop. */
export class VirtualList extends VirtualRows {
  /**
   * @param {object} options The options of VirtualRows, and:
   * @param {(index: number) => void} options.onSelect Called when the selection changes.
   * @param {(index: number) => void} options.onOpen Called for Enter or a double click.
   * @param {() => void} [options.onPull] Called when a finger pulls the list beyond its beginning.
   */
  constructor(options) {
    super({
      className: 'list',
      ...options,
      fill: (row, index) => {
        row.setAttribute('aria-selected', index === this.selected);
        row.classList.toggle('lifted', index === this.lifted);
        options.fill(row, index);
      },
    });
    this.onSelect = options.onSelect;
    this.onOpen = options.onOpen;
    this.selected = -1;
    this.lifted = -1;
    onLongPress(this.element, '[role=row]', (row) => {
      this.select(Number(row.dataset.index));
      this.lift(this.selected);
    });
    this.element.addEventListener('click', (event) => this.#click(event));
    this.element.addEventListener('dblclick', () => this.open());
    if (options.onPull) onPull(this.element, options.onPull);
  }

  /** Shows another number of items; all rows are filled again. */
  setCount(count) {
    if (this.selected >= count) this.select(count - 1);
    this.setRowCount(count);
  }

  /** Selects an item, and scrolls to it if it is not visible; -1 selects none. */
  select(index) {
    const old = this.selected;
    this.selected = Math.max(-1, Math.min(index, this.rowCount - 1));
    if (this.selected >= 0) this.reveal(this.selected);
    this.refreshRows(old);
    this.refreshRows(this.selected);
    if (this.selected < 0) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', `row-${this.selected}`);
    if (old !== this.selected) this.onSelect(this.selected);
  }

  /** Lifts a row, and fades the others; -1 ends the lift. */
  lift(index) {
    const old = this.lifted;
    this.lifted = index;
    this.element.classList.toggle('lifting', index >= 0);
    for (const each of [old, index]) if (each >= 0) this.refreshRows(each);
  }

  /** Moves the selection. Returns whether the command is a movement. */
  move(command) {
    const moves = {
      down: this.selected + 1,
      up: Math.max(0, this.selected - 1),
      pageDown: this.selected + this.rowsOfPage,
      pageUp: Math.max(0, this.selected - this.rowsOfPage),
      first: 0,
      last: this.rowCount - 1,
    };
    if (!(command in moves)) return false;
    this.select(moves[command]);
    return true;
  }

  /** Opens the selected item. */
  open() {
    if (this.selected >= 0) this.onOpen(this.selected);
  }

  #click(event) {
    if (this.lifted >= 0) {
      this.lift(-1);
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const row = event.target.closest('[role=row]');
    if (row) this.select(Number(row.dataset.index));
  }
}
