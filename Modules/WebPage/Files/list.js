// A list of any length, with a selection.

import { VirtualRows } from './scroller.js';

/** A vertical list of items, as an ARIA grid with one tab stop. */
export class VirtualList extends VirtualRows {
  /**
   * @param {object} options Those of VirtualRows, and:
   * @param {(index: number) => void} options.onSelect Called when the selection changes.
   * @param {(index: number) => void} options.onOpen Called for Enter or a double click.
   */
  constructor(options) {
    super({
      className: 'list',
      ...options,
      fill: (row, index) => {
        row.setAttribute('aria-selected', index === this.selected);
        options.fill(row, index);
      },
    });
    this.onSelect = options.onSelect;
    this.onOpen = options.onOpen;
    this.selected = -1;
    this.element.addEventListener('keydown', (event) => this.#press(event));
    this.element.addEventListener('click', (event) => this.#click(event));
    this.element.addEventListener('dblclick', () => this.#open());
  }

  /** Shows another number of items; all rows are filled again. */
  setCount(count) {
    if (this.selected >= count) this.select(count - 1);
    this.setRowCount(count);
  }

  /** Selects an item, and scrolls to it if it is not visible; -1 selects none. */
  select(index) {
    const old = this.selected;
    this.selected = Math.min(index, this.rowCount - 1);
    if (this.selected >= 0) this.reveal(this.selected);
    this.refreshRows(old);
    this.refreshRows(this.selected);
    if (this.selected < 0) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', `row-${this.selected}`);
    if (old !== this.selected) this.onSelect(this.selected);
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = {
      ArrowDown: this.selected + 1,
      ArrowUp: Math.max(0, this.selected - 1),
      PageDown: this.selected + this.rowsOfPage,
      PageUp: Math.max(0, this.selected - this.rowsOfPage),
      Home: 0,
      End: this.rowCount - 1,
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
