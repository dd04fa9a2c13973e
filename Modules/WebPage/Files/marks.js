// The marks of a view's resources, which commands then concern.

import { button, element, say } from './elements.js';
import { number } from './text.js';

/** The marked resources of a view: a set, or all; and the bar with their commands, which appears with them. */
export class Marks {
  /**
   * @param {() => void} actions.onChange Called after each change.
   * @param {() => void} actions.onMarkAll Called when everything is to be marked.
   * @param {(verb: string) => void} actions.onRepeat Called with "reload" or "retry".
   */
  constructor({ onChange, onMarkAll, onRepeat }) {
    this.onChange = onChange;
    this.clearing = button('', { icon: 'close', press: () => this.clear() });
    this.element = element('div', { className: 'marks', role: 'toolbar', ariaLabel: 'Marked images' }, [
      this.clearing, button('Mark all', { key: 'Control+A', icon: 'chosen', press: onMarkAll }),
      button('Reload', { icon: 'reload', press: () => onRepeat('reload') }),
      button('Retry', { icon: 'retry', press: () => onRepeat('retry') }),
    ]);
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

  /** Marks resources besides those that are marked. */
  add(ids) {
    if (this.total !== null) return;
    for (const id of ids) this.some.add(id);
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
    this.clearing.lastChild.textContent = `${number(count)} marked`;
    this.clearing.ariaLabel = `${number(count)} marked; remove the marks`;
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
