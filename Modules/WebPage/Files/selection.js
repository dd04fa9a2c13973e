// Which of a record's resources are shown, in which order: chips and a list to choose from, whose values are in the
// address.

import { Chips } from './chips.js';
import { choice } from './elements.js';

const selections = {
  all: { text: 'All', count: ({ total }) => total },
  unfinished: {
    text: 'Unfinished', states: ['queued', 'stored', 'fetched'],
    count: ({ total, finished, failed }) => total - finished - failed,
  },
  finished: { text: 'Finished', states: ['finished'], count: ({ finished }) => finished },
  failed: { text: 'Failed', states: ['failed'], count: ({ failed }) => failed },
};

const orders = {
  position: { text: 'Record order' },
  size: { text: 'Largest first', order: 'size', descending: true },
  duration: { text: 'Slowest first', order: 'duration', descending: true },
};

export class Selection {
  /** Calls `onChoose` when the user chooses; `parameters` are those of the address. */
  constructor(parameters, onChoose) {
    this.parameters = parameters;
    const texts = Object.fromEntries(Object.entries(selections).map(([value, { text }]) => [value, text]));
    const chosen = (name, values, usual) => (parameters.get(name) in values ? parameters.get(name) : usual);
    this.filter = chosen('show', selections, 'all');
    this.order = chosen('sort', orders, 'position');
    this.chips = new Chips('Show', texts, (value) => {
      this.filter = value;
      this.#keep('show', value);
      this.#showChips();
      onChoose();
    });
    this.sort = choice('Sort by', 'sort', orders, (value) => {
      this.order = value;
      this.#keep('sort', value);
      onChoose();
    });
    this.sort.select.value = this.order;
    this.#showChips();
  }

  #keep(name, value) {
    if (value === 'all' || value === 'position') this.parameters.delete(name);
    else this.parameters.set(name, value);
  }

  /** Shows how many resources of a record with these counts each chip would show. */
  show(counts) {
    this.counts = counts;
    this.#showChips();
  }

  #showChips() {
    const numbers = this.counts ? Object.entries(selections).map(([value, { count }]) => [value, count(this.counts)]) : [];
    this.chips.show(this.filter, Object.fromEntries(numbers));
  }

  /** The body of the request that makes the view. */
  get body() {
    const { states } = selections[this.filter];
    const { order, descending } = orders[this.order];
    return Object.fromEntries(
      Object.entries({ states, order, descending }).filter(([, value]) => value !== undefined));
  }

  /** The number of selected resources in a record with these counts. */
  count(counts) {
    return selections[this.filter].count(counts);
  }
}
