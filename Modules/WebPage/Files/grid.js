// A grid of any number of tiles, with a selection.

import { VirtualRows } from './scroller.js';

/** Square tiles in as many columns as fit, as an ARIA grid with one tab stop. */
export class VirtualGrid extends VirtualRows {
  /**
   * @param {object} options
   * @param {string} options.label The name of the grid for screen readers.
   * @param {() => HTMLElement} options.createTile Creates an empty tile.
   * @param {(tile: HTMLElement, index: number) => void} options.fillTile Shows an item in a tile.
   * @param {(index: number) => void} options.onSelect Called when the selection changes.
   * @param {(index: number) => void} options.onOpen Called for Enter or a click on a tile.
   * @param {() => void} options.onScroll Called when other tiles are visible.
   */
  constructor({ label, createTile, fillTile, onSelect, onOpen, onScroll }) {
    super({
      label,
      className: 'grid',
      create: () => Object.assign(document.createElement('div'), { className: 'strip' }),
      fill: (strip, row) => this.#fillStrip(strip, row),
      onScroll,
    });
    Object.assign(this, { createTile, fillTile, onSelect, onOpen });
    this.count = 0;
    this.columns = 1;
    this.selected = -1;
    this.element.addEventListener('keydown', (event) => this.#press(event));
    this.element.addEventListener('click', (event) => this.#click(event));
  }

  /** Shows another number of items; all tiles are filled again. */
  setCount(count) {
    this.count = count;
    if (this.selected >= count) this.selected = count - 1;
    this.#arrange();
    this.setRowCount(Math.ceil(this.count / this.columns));
  }

  /** Fills the tile of an item again, if it is visible. */
  refresh(index) {
    const tile = this.rows.get(Math.floor(index / this.columns))?.children[index % this.columns];
    if (tile && index < this.count) this.#show(tile, index);
  }

  /** Selects an item, and scrolls to it if it is not visible; -1 selects none. */
  select(index) {
    const old = this.selected;
    this.selected = Math.min(index, this.count - 1);
    if (this.selected >= 0) this.reveal(Math.floor(this.selected / this.columns));
    if (old >= 0) this.refresh(old);
    if (this.selected >= 0) this.refresh(this.selected);
    if (this.selected < 0) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', `tile-${this.selected}`);
    if (old !== this.selected) this.onSelect(this.selected);
  }

  /** The indexes of the visible items: the first one, and the one behind the last. */
  get visible() {
    const [first, last] = this.visibleRows;
    return [first * this.columns, Math.min(this.count, last * this.columns)];
  }

  layOut() {
    const first = this.rowHeight ? this.visible[0] : 0;
    if (this.#arrange()) {
      this.rowCount = Math.ceil(this.count / this.columns);
      this.element.setAttribute('aria-rowcount', this.rowCount);
      super.layOut();
      this.refreshRows();
      this.reveal(Math.floor(first / this.columns));
    } else {
      super.layOut();
    }
  }

  /** Computes the columns. Returns whether they have changed. */
  #arrange() {
    const style = getComputedStyle(this.element);
    const least = parseFloat(style.getPropertyValue('--tile')) || 160;
    const width = this.element.clientWidth;
    if (width === 0) return false;
    const columns = Math.max(2, Math.floor(width / least));
    const size = Math.floor(width / columns);
    if (columns === this.columns && size === this.size) return false;
    this.columns = columns;
    this.size = size;
    this.element.style.setProperty('--row', `${size}px`);
    this.element.setAttribute('aria-colcount', columns);
    return true;
  }

  #fillStrip(strip, row) {
    while (strip.children.length < this.columns) {
      const tile = strip.appendChild(this.createTile());
      tile.setAttribute('role', 'gridcell');
      tile.setAttribute('aria-colindex', strip.children.length);
    }
    for (const [column, tile] of [...strip.children].entries()) {
      const index = row * this.columns + column;
      tile.hidden = column >= this.columns || index >= this.count;
      if (!tile.hidden) this.#show(tile, index);
    }
  }

  #show(tile, index) {
    tile.id = `tile-${index}`;
    tile.dataset.index = index;
    tile.setAttribute('aria-selected', index === this.selected);
    this.fillTile(tile, index);
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = this.rowsOfPage * this.columns;
    const moves = {
      ArrowRight: this.selected + 1,
      ArrowLeft: Math.max(0, this.selected - 1),
      ArrowDown: this.selected < 0 ? 0 : this.selected + this.columns,
      ArrowUp: this.selected - this.columns < 0 ? this.selected : this.selected - this.columns,
      PageDown: this.selected + page,
      PageUp: Math.max(0, this.selected - page),
      Home: 0,
      End: this.count - 1,
    };
    if (event.key in moves) this.select(moves[event.key]);
    else if (event.key === 'Enter' && this.selected >= 0) this.onOpen(this.selected);
    else return;
    event.preventDefault();
  }

  #click(event) {
    const tile = event.target.closest('[role=gridcell]');
    if (!tile) return;
    this.select(Number(tile.dataset.index));
    this.onOpen(this.selected);
  }
}
