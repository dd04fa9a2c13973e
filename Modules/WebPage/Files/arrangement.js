// Which records are shown, in which order and below which headings.

/** The number of resources of a record that are neither finished nor failed. */
export function unfinished({ counts }) {
  return counts.total - counts.finished - counts.failed;
}

export const orders = {
  added: { text: 'Added', compare: null },
  title: { text: 'Title', compare: (one, other) => one.title.localeCompare(other.title) },
  size: { text: 'Size', compare: (one, other) => other.counts.bytes - one.counts.bytes },
  state: { text: 'Unfinished', compare: (one, other) => unfinished(other) - unfinished(one) },
};

/** The sections in their order, and their headings. */
const headings = { active: 'Active', failed: 'Failed', finished: 'Finished', lazy: 'On demand' };

/** The sections that can be shown alone, and their texts. */
export const filters = { all: 'All', active: 'Active', failed: 'Failed' };

/** The section of a record: what is at work comes first, then what has failed. */
export function sectionOf(record) {
  const { downloading, unzipping, rendering } = record.activity;
  const isWaiting = unfinished(record) > 0;
  if (downloading + unzipping + rendering > 0 || (isWaiting && !record.isLazy)) return 'active';
  if (record.counts.failed > 0) return 'failed';
  return isWaiting ? 'lazy' : 'finished';
}

/** The choices of the user, which the address keeps. */
export class Arrangement {
  constructor(parameters) {
    this.parameters = parameters;
  }

  /** The text that titles must contain, in lower case. */
  get text() {
    return (this.parameters.get('filter') ?? '').toLowerCase();
  }

  get sorting() {
    const sort = this.parameters.get('sort');
    return sort in orders ? sort : 'added';
  }

  /** The order that follows the chosen one. */
  get nextSorting() {
    const names = Object.keys(orders);
    return names[(names.indexOf(this.sorting) + 1) % names.length];
  }

  get filter() {
    const show = this.parameters.get('show');
    return show in filters ? show : 'all';
  }

  /** Whether a record that has changed may belong elsewhere, or counts for other filters. */
  isMoved(former, record) {
    const { compare } = orders[this.sorting];
    return sectionOf(former) !== sectionOf(record) || (former.counts.failed > 0) !== (record.counts.failed > 0)
      || former.title !== record.title || (compare !== null && compare(former, record) !== 0);
  }

  /** Changes parameters; those with their usual values are removed. Without a change, the address stays. */
  change(values) {
    if (Object.keys(values).length === 0) return;
    for (const [name, value] of Object.entries(values)) {
      if (value && value !== 'added' && value !== 'all') this.parameters.set(name, value);
      else this.parameters.delete(name);
    }
    const query = this.parameters.toString();
    history.replaceState(history.state, '', query ? `?${query}` : location.pathname);
  }

  /**
   * Arranges records.
   * @param {Map<number, object>} records The records by their ids.
   * @param {number[]} order The ids in the order of the library.
   * @returns The ids of the shown records, the headings with the indexes of the rows that they precede, and the number
   *   of records of each filter.
   */
  arrange(records, order) {
    const { text, filter } = this;
    const counts = { all: order.length, active: 0, failed: 0 };
    const groups = Object.fromEntries(Object.keys(headings).map((name) => [name, []]));
    for (const id of order) {
      const record = records.get(id);
      const section = sectionOf(record);
      if (section === 'active') counts.active += 1;
      if (record.counts.failed > 0) counts.failed += 1;
      const isWanted = filter === 'failed' ? record.counts.failed > 0 : filter === 'all' || section === filter;
      if (isWanted && (!text || record.title.toLowerCase().includes(text))) groups[section].push(record);
    }
    const { compare } = orders[this.sorting];
    const shown = [];
    const starts = [];
    for (const [name, group] of Object.entries(groups)) {
      if (group.length === 0) continue;
      starts.push({ index: shown.length, title: headings[name] });
      if (compare) group.sort(compare);
      if (this.parameters.has('reverse')) group.reverse();
      for (const { id } of group) shown.push(id);
    }
    return { shown, starts, counts };
  }
}
