// A grid or a list of any number of tiles, with a selection.

import { forgetItem, VirtualRows } from './scroller.js';

/** Milliseconds of a frame for filling tiles again. */
const refreshTime = 8;

/** Square tiles in as many columns as fit, or lines below each other, as an ARIA grid with one tab stop. */
export class VirtualGrid extends VirtualRows {
  /**
   * @param {string} options.label The name of the grid for screen readers.
   * @param {() => HTMLElement} options.createTile Creates an empty tile.
   * @param {(tile: HTMLElement, index: number) => void} options.fillTile Shows an item in a tile.
   * @param {(index: number) => void} options.onOpen Called for Enter or a click on a tile.
   * @param {(index: number) => void} options.onMark Called for Space, or a click with Control, on a lifted tile or on
   *   the check of a tile.
   * @param {(from: number, to: number) => void} options.onMarkRange Called for a click with Shift, with the first tile
   *   and the one behind the last.
   * @param {() => void} options.onMarkAll Called for Control-A.
   * @param {(index: number) => void} options.onRetry Called for the button of a tile.
   * @param {() => boolean} options.isMarking Whether a tap marks, because others are marked.
   * @param {(place: Element | {x: number, y: number}) => void} options.onMenu Called when the menu of the selected tile
   *   is wanted.
   * @param {() => void} options.onScroll Called when other tiles are visible.
   * @param {() => void} options.onSlow Called when a fling has ended.
   * @param {() => void} options.onPull Called when a finger pulls the grid beyond its beginning.
   */
  constructor({ createTile, fillTile, onOpen, onScroll, onSlow, ...others }) {
    super({
      label: others.label,
      className: 'grid',
      create: () => Object.assign(document.createElement('div'), { className: 'strip' }),
      fill: (strip, row) => this.#fillStrip(strip, row),
      onScroll,
      onSlow,
    });
    const { onMark, onMarkRange, onMarkAll, onRetry, isMarking } = others;
    Object.assign(this, { createTile, fillTile, onOpen, onMark, onMarkRange, onMarkAll, onRetry, isMarking });
    /** The tile from which a click with Shift marks. */
    this.anchor = 0;
    this.prefix = 'tile';
    this.isList = false;
    this.stale = new Set();
    this.element.addEventListener('keydown', (event) => this.#press(event));
    this.element.addEventListener('click', (event) => this.#click(event));
    this.addGestures('[role=gridcell]', others.onPull, others.onMenu);
  }

  setCount(count) {
    this.#arrange();
    super.setCount(count);
  }

  /** Shows lines below each other instead of tiles, or tiles again. */
  setList(isList) {
    if (isList === this.isList) return;
    this.isList = isList;
    this.element.classList.toggle('lines', isList);
    this.layOut();
    this.refreshRows();
  }

  refresh(index) {
    const tile = this.rows.get(Math.floor(index / this.columns))?.children[index % this.columns];
    if (tile && index < this.count) this.#show(tile, index);
  }

  /** Fills the visible tiles of items again in the next frames. */
  refreshSoon(indexes) {
    for (const index of indexes) this.stale.add(index);
    this.scheduleDraw();
  }

  /** Fills the visible tiles of a range, and those near them, again in the next frames. */
  refreshRange(from, to) {
    const [first, last] = this.visible;
    const margin = this.columns * 4;
    const start = Math.max(from, first - margin);
    const count = Math.max(0, Math.min(to, last + margin) - start);
    this.refreshSoon(Array.from({ length: count }, (_, place) => start + place));
  }

  draw() {
    super.draw();
    const end = performance.now() + refreshTime;
    for (const index of this.stale) {
      this.stale.delete(index);
      this.refresh(index);
      if (performance.now() > end) break;
    }
    if (this.stale.size > 0) this.scheduleDraw();
  }

  /** The indexes of the visible items: the first one, and the one behind the last. */
  get visible() {
    const [first, last] = this.visibleRows;
    return [first * this.columns, Math.min(this.count, last * this.columns)];
  }

  layOut() {
    // Until the grid is scrolled, the same item stays in the first row.
    if (!(Math.abs(this.top - this.arrangedTop) < 1)) this.first = this.rowHeight ? this.visible[0] : 0;
    if (this.#arrange()) {
      this.rowCount = Math.ceil(this.count / this.columns);
      this.element.setAttribute('aria-rowcount', this.rowCount);
      this.top = Math.floor(this.first / this.columns) * this.size;
      super.layOut();
      this.refreshRows();
      this.arrangedTop = this.top;
    } else {
      super.layOut();
    }
  }

  /** Computes the columns. Returns whether they have changed. */
  #arrange() {
    const style = getComputedStyle(this.element);
    const width = this.element.clientWidth;
    if (width === 0) return false;
    const least = parseFloat(style.getPropertyValue('--tile')) || 160;
    const columns = this.isList ? 1 : Math.max(2, Math.floor(width / least));
    const size = this.isList
      ? parseFloat(style.getPropertyValue('--line-height')) || 64 : Math.floor(width / columns);
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
      if (tile.hidden) forgetItem(tile);
      else this.#show(tile, index);
    }
  }

  #show(tile, index) {
    tile.id = `tile-${index}`;
    tile.dataset.index = index;
    this.showSelection(tile, index);
    this.fillTile(tile, index);
  }

  #press(event) {
    // A layout that is not Latin has another letter on the key.
    const isA = event.key.toLowerCase() === 'a' || (event.key > '~' && event.code === 'KeyA');
    if (isA && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) this.onMarkAll();
    else if (event.key === ' ' && this.selected >= 0 && !event.repeat) this.onMark(this.selected);
    else return;
    event.preventDefault();
  }

  #click(event) {
    const tile = event.target.closest('[role=gridcell]');
    const index = Number(tile?.dataset.index ?? -1);
    if (this.lifted >= 0) {
      // A finger marks a tile by a tap after a long press.
      if (index === this.lifted) this.onMark(index);
      this.lift(-1);
      return;
    }
    if (!tile) return;
    const former = Math.max(0, this.selected);
    this.select(index);
    if (event.target.closest('.retry')) {
      this.onRetry(index);
    } else if (event.shiftKey) {
      const from = Math.min(this.isMarking() ? this.anchor : former, this.count - 1);
      this.onMarkRange(Math.min(from, index), Math.max(from, index) + 1);
    } else if (event.ctrlKey || event.metaKey || event.target.closest('.check')
      || (event.pointerType === 'touch' && this.isMarking())) {
      this.anchor = index;
      this.onMark(index);
    } else {
      this.onOpen(this.selected);
    }
  }
}
