// The marked resources of a view: a set, or all.

export class Marks {
  constructor() {
    this.clear();
  }

  clear() {
    this.some = new Set();
    /** The number of resources of the view if all of them are marked; otherwise null. */
    this.total = null;
  }

  markAll(total) {
    this.clear();
    this.total = total;
  }

  /** Marks a resource, or removes its mark. If all were marked, only this resource stays marked. */
  toggle(id) {
    if (this.total !== null) this.clear();
    if (!this.some.delete(id)) this.some.add(id);
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
