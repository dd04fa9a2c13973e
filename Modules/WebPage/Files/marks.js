// The marks of a view's resources, which commands then concern.

import { button, say } from './elements.js';
import { number } from './text.js';

/** The marked resources of a view: a set, or all; and the button that removes the marks. */
export class Marks {
  /** Calls `onChange` after each change. */
  constructor(onChange) {
    this.onChange = onChange;
    this.element = button('', { press: () => this.clear() });
    this.#set(null);
    this.#show();
  }

  clear() {
    this.#set(null);
    this.#change();
  }

  markAll(total) {
    this.#set(total);
    this.#change();
  }

  /** Marks a resource, or removes its mark. If all were marked, only this resource stays marked. */
  toggle(id) {
    if (this.total !== null) this.#set(null);
    if (!this.some.delete(id)) this.some.add(id);
    this.#change();
  }

  #set(total) {
    this.some = new Set();
    /** The number of resources of the view if all of them are marked; otherwise null. */
    this.total = total;
  }

  #change() {
    this.#show();
    this.onChange();
    if (this.count > 0) say(`${number(this.count)} marked`);
  }

  #show() {
    const { count } = this;
    this.element.hidden = count === 0;
    this.element.textContent = `${number(count)} marked ✕`;
    this.element.ariaLabel = `${number(count)} marked; remove the marks`;
  }

  has(id) {
    return this.total !== null || this.some.has(id);
  }

  get count() {
    return this.total ?? this.some.size;
  }

  /** The ids of the marked resources; null if all are marked. */
  get ids() {
    return this.total !== null ? null : [...this.some];
  }
}
