// Which of a record's resources are shown, in which order: two lists to choose from, whose values are in the address.

import { element } from './elements.js';

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
    const choice = (label, name, values) => {
      const select = element('select', {
        ariaLabel: label,
        onchange: () => {
          this.#keep(name, select.value);
          onChoose();
        },
      }, Object.entries(values).map(([value, { text }]) => new Option(text, value)));
      const chosen = parameters.get(name);
      if (chosen in values) select.value = chosen;
      return select;
    };
    this.filter = choice('Show', 'show', selections);
    this.sort = choice('Sort by', 'sort', orders);
    this.element = element('div', { className: 'search' }, [this.filter, this.sort]);
  }

  #keep(name, value) {
    if (value === 'all' || value === 'position') this.parameters.delete(name);
    else this.parameters.set(name, value);
  }

  /** The body of the request that makes the view. */
  get body() {
    const { states } = selections[this.filter.value];
    const { order, descending } = orders[this.sort.value];
    return Object.fromEntries(
      Object.entries({ states, order, descending }).filter(([, value]) => value !== undefined));
  }

  /** The number of selected resources in a record with these counts. */
  count(counts) {
    return selections[this.filter.value].count(counts);
  }
}
