// A list of any length, with a selection.

import { VirtualRows } from './scroller.js';

/** A vertical list of items, as an ARIA grid with one tab stop. */
export class VirtualList extends VirtualRows {
  /**
   * @param {object} options The options of VirtualRows, and:
   * @param {() => void} [options.onSelect] Called when the selection changes.
   * @param {(index: number) => void} options.onOpen Called for Enter or a double click.
   * @param {(place: Element | {x: number, y: number}) => void} [options.onMenu] Called when the menu of the selected
   *   item is wanted, with the place of the menu.
   * @param {() => void} [options.onPull] Called when a finger pulls the list beyond its beginning.
   */
  constructor(options) {
    super({
      className: 'list',
      ...options,
      fill: (row, index) => {
        this.showSelection(row, index);
        options.fill(row, index);
      },
    });
    this.onSelect = options.onSelect;
    this.onOpen = options.onOpen;
    this.prefix = 'row';
    this.addGestures('[role=row]', options.onPull, options.onMenu);
    this.element.addEventListener('click', (event) => this.#click(event));
    this.element.addEventListener('dblclick', ({ target }) => { if (!target.closest('button')) this.open(); });
  }

  /** Opens the selected item. */
  open() {
    if (this.selected >= 0) this.onOpen(this.selected);
  }

  #click(event) {
    if (this.lifted >= 0) {
      this.lift(-1);
      event.preventDefault();
      // The screen's own listener, which opens links, is on the same element.
      event.stopImmediatePropagation();
      return;
    }
    const row = event.target.closest('[role=row]');
    if (row) this.select(Number(row.dataset.index));
  }
}
