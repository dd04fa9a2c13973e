// The screen of the library's records (screen 1).

import { askForSources } from './add.js';
import { batch, call } from './api.js';
import { ConcurrencySlider } from './concurrency.js';
import { element, finishLoading, say, showProblem } from './elements.js';
import { followLibrary } from './follow.js';
import { VirtualList } from './list.js';
import { noteRead } from './live.js';
import { Rates, rateTime } from './rates.js';
import { askToReload, askToRemove, askToReset } from './removal.js';
import { addressOf, createRow, fillRow } from './rows.js';
import { counted, visible } from './text.js';
import { priorities, RecordsToolbar, unfinished } from './toolbar.js';
import { Totals } from './totals.js';

// The first screen waits for all scripts that are imported above, and not for this one. Dialogs are among those above:
// a key that follows the one that opens a dialog belongs to the dialog.
const library = () => import('./library.js');

/** The number of records in one request, the largest that imgdld answers. */
const portion = 1000;
/** Milliseconds for which changes are collected before the records are read again. */
const collectingTime = 250;

const orders = {
  added: { text: 'Added', compare: null },
  title: { text: 'Title', compare: (one, other) => one.title.localeCompare(other.title) },
  size: { text: 'Size', compare: (one, other) => other.counts.bytes - one.counts.bytes },
  state: { text: 'Unfinished', compare: (one, other) => unfinished(other) - unfinished(one) },
};

export class RecordsScreen {
  place = 'records';

  constructor(view, router) {
    this.router = router;
    this.records = new Map();
    this.order = [];
    this.shown = [];
    this.progress = null;
    this.status = null;
    this.rates = new Rates();
    this.dirty = new Set();
    this.parameters = new URLSearchParams(location.search);
    this.#build(view);
    this.stopListening = followLibrary({
      renew: () => this.#load(),
      event: (event) => this.#receiveEvent(event),
      progress: (progress) => this.#showProgress(progress),
      status: (status) => this.#apply(status),
    });
    this.#load();
  }

  close() {
    this.stopListening();
    clearTimeout(this.collecting);
    clearTimeout(this.reloading);
    clearTimeout(this.fading);
  }

  // Layout

  #build(view) {
    this.list = new VirtualList({
      label: 'Records',
      create: createRow,
      fill: (row, index) => this.#fill(row, this.records.get(this.shown[index])),
      onSelect: () => this.#updateButtons(),
      onOpen: (index) => this.#open(this.shown[index]),
      onPull: () => this.perform('refresh'),
    });
    this.summary = element('p', { className: 'summary' });
    this.toolbar = new RecordsToolbar({
      perform: (name) => this.perform(name), setPriority: (priority) => this.#setPriority(priority),
      open: this.router.open,
    });
    this.filter = element('input', {
      type: 'search', placeholder: 'Filter titles', ariaLabel: 'Filter titles',
      value: this.parameters.get('filter') ?? '',
      oninput: () => this.#arrange({ filter: this.filter.value }),
    });
    this.sort = element('select', {
      ariaLabel: 'Sort by', onchange: () => this.#arrange({ sort: this.sort.value }),
    }, Object.entries(orders).map(([value, { text }]) => new Option(text, value)));
    this.sort.value = this.#sorting;
    this.empty = element('div', { className: 'empty', hidden: true });
    this.totals = new Totals();
    this.concurrency = new ConcurrencySlider();
    // The title is a link: a touch opens the record, a middle click opens a tab.
    this.list.element.addEventListener('click', (event) => {
      const link = event.target.closest('a');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#open(this.shown[link.closest('[role=row]').dataset.index]);
    });
    view.replaceChildren(
      element('header', {}, [
        element('h1', { textContent: 'imgdl' }), this.summary,
        this.toolbar.element,
        element('div', { className: 'search' }, [this.filter, this.sort]),
      ]),
      this.list.element, this.empty,
      element('footer', {}, [this.totals.element, this.concurrency.element]));
    this.#updateButtons();
  }

  /** Opens a record, which is selected again when the user comes back. */
  #open(id) {
    history.replaceState({ record: id }, '');
    this.router.open(addressOf(this.records.get(id)));
  }

  #selectOpened() {
    const index = this.shown.indexOf(history.state?.record);
    if (index < 0) return;
    history.replaceState(null, '');
    this.list.select(index);
    this.list.element.focus();
  }

  get #sorting() {
    const sort = this.parameters.get('sort');
    return sort in orders ? sort : 'added';
  }

  #fill(row, record) {
    if (!record) return;
    const live = this.progress?.records.find(({ id }) => id === record.id);
    fillRow(row, record, live, this.rates.text(record.id, this.progress));
  }

  // Loading

  async #load() {
    const loading = Symbol('loading');
    this.loading = loading;
    // The messages that arrive before the responses may be newer than these.
    const newer = { status: {}, changed: new Set(), removed: new Set() };
    this.newer = newer;
    const records = new Map();
    try {
      // Read first: the records include at least the events that it includes.
      const status = await call('GET', '/v1/status');
      let after = '';
      do {
        const page = await call('GET', `/v1/records?limit=${portion}${after}`);
        if (this.loading !== loading) return;
        for (const record of page.items) records.set(record.id, record);
        after = page.next ? `&after=${page.next}` : null;
      } while (after);
      for (const id of newer.removed) records.delete(id);
      this.records = records;
      this.order = [...records.keys()];
      this.#apply({ ...status, ...newer.status });
      this.#arrange({});
      this.#selectOpened();
      this.#markChanged(newer.changed);
      finishLoading();
      noteRead(status.seq);
    } catch (problem) {
      if (this.loading === loading && problem.status !== 401) this.#loadSoon(2000);
    }
  }

  #loadSoon(milliseconds) {
    clearTimeout(this.reloading);
    this.reloading = setTimeout(() => this.#load(), milliseconds);
  }

  /** Reads the changed records again, at most 100 in a request. */
  async #readChanged() {
    this.collecting = null;
    const changed = [...this.dirty].filter((id) => this.records.has(id));
    const ids = changed.slice(0, 100);
    this.dirty = new Set(changed.slice(100));
    if (ids.length === 0) return;
    try {
      const rows = await batch(ids.map((id) => `/v1/records/${id}`));
      for (const record of rows) if (record) this.records.set(record.id, record);
      this.#redraw();
    } catch {
      // The next event or reconnection reads the records again.
    }
    if (this.dirty.size > 0) this.#markChanged([]);
  }

  #markChanged(ids) {
    for (const id of ids) {
      this.dirty.add(id);
      this.newer.changed.add(id);
    }
    this.collecting ??= setTimeout(() => this.#readChanged(), collectingTime);
  }

  // Events

  #showProgress(progress) {
    const now = performance.now();
    const before = this.progress?.records ?? [];
    this.progress = progress;
    this.newer.status.progress = progress;
    for (const record of progress.records) this.rates.add(record, now);
    this.#markChanged([...before, ...progress.records].map(({ id }) => id));
    this.#redraw();
    // Rates end when no progress follows.
    clearTimeout(this.fading);
    this.fading = setTimeout(() => this.#redraw(), rateTime);
  }

  #receiveEvent(event) {
    const { kind, record } = event;
    switch (kind) {
      case 'wasReset':
        this.loading = null;
        this.records.clear();
        this.order = [];
        this.progress = null;
        this.#arrange({});
        this.#loadSoon(collectingTime);
        break;
      case 'recordRemoved':
        this.newer.removed.add(record);
        this.records.delete(record);
        this.order = this.order.filter((id) => id !== record);
        this.#arrange({});
        break;
      case 'recordAdded':
        this.#loadSoon(collectingTime);
        break;
      case 'paused': case 'resumed':
        if (record === undefined) this.#loadSoon(collectingTime);
        else this.#markChanged([record]);
        break;
      case 'concurrencyChanged':
        this.newer.status.concurrency = event.limit;
        this.concurrency.show(event.limit);
        break;
      default:
        if (record !== undefined) this.#markChanged([record]);
    }
  }

  #apply(status) {
    this.newer.status = status;
    this.status = status;
    this.progress = status.progress;
    this.concurrency.show(status.concurrency);
    this.#redraw();
  }

  // Display

  #arrange(change) {
    for (const [name, value] of Object.entries(change)) {
      if (value && !(name === 'sort' && value === 'added')) this.parameters.set(name, value);
      else this.parameters.delete(name);
    }
    const query = this.parameters.toString();
    history.replaceState(history.state, '', query ? `?${query}` : location.pathname);
    const text = (this.parameters.get('filter') ?? '').toLowerCase();
    const selected = this.shown[this.list.selected] ?? this.hidden;
    this.shown = this.order.filter((id) => this.records.get(id).title.toLowerCase().includes(text));
    const { compare } = orders[this.#sorting];
    if (compare) {
      this.shown.sort((one, other) => compare(this.records.get(one), this.records.get(other)));
    }
    if (this.parameters.has('reverse')) this.shown.reverse();
    this.list.setCount(this.shown.length);
    const index = this.shown.indexOf(selected);
    // A record that the filter hides is selected again when it is shown.
    this.hidden = index < 0 ? selected : undefined;
    this.list.select(index, true);
    // What others change moves no row into sight.
    if (index >= 0 && Object.keys(change).length > 0) this.list.reveal(index);
    this.#showEmpty(text);
    this.#redraw();
  }

  #showEmpty(filter) {
    this.empty.hidden = this.shown.length > 0;
    this.list.element.hidden = this.shown.length === 0;
    this.empty.replaceChildren(...(filter
      ? [element('p', { textContent: `No title contains “${visible(filter)}”.` })]
      : [
        element('p', { className: 'strong', textContent: 'The library is empty.' }),
        element('p', { textContent: 'Add the URL of a zip of lists, a JSON or text list, a PDF, an archive, an image or a CT series.' }),
      ]));
  }

  /** Shows rows, totals and buttons again, at most once per frame. */
  #redraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.list.refreshRows();
      this.#showTotals();
      this.#updateButtons();
    });
  }

  #showTotals() {
    if (!this.progress) return;
    this.totals.show(this.records.values(), this.progress);
    this.summary.textContent = counted(this.records.size, 'record');
  }

  // Commands

  get #selectedRecord() {
    return this.records.get(this.shown[this.list.selected]);
  }

  #updateButtons() {
    this.toolbar.show(this.records, this.#selectedRecord, this.#isLibraryPaused);
  }

  get #isLibraryPaused() {
    return this.status?.isPaused ?? false;
  }

  async #run(text, work) {
    try {
      await work();
      say(text);
    } catch (problem) {
      showProblem(problem);
    }
  }

  /** Pauses or resumes a record, or all downloads if there is none. */
  async #pause(record) {
    const isPaused = record ? record.isPaused : this.#isLibraryPaused;
    const verb = isPaused ? 'resume' : 'pause';
    const path = record ? `/v1/records/${record.id}/${verb}` : `/v1/${verb}`;
    await this.#run(isPaused ? 'Resumed' : 'Paused', () => call('POST', path));
    if (!record && this.status) this.status.isPaused = !isPaused;
    this.#loadSoon(0);
  }

  async #command(verb) {
    const record = this.#selectedRecord;
    if (!record && verb !== 'retry') return;
    await this.#run('Done', () => call(
      'POST', record ? `/v1/records/${record.id}/${verb}` : `/v1/${verb}`));
    if (record) this.#markChanged([record.id]);
    else this.#loadSoon(0);
  }

  async #reload() {
    const record = this.#selectedRecord;
    if (record && await askToReload(record)) this.#markChanged([record.id]);
  }

  /** Sets the priority: records with a higher one are downloaded first. */
  async #setPriority(priority) {
    const record = this.#selectedRecord;
    if (!record) return;
    await this.#run(`${priorities[priority]} priority`, () => call(
      'PUT', `/v1/records/${record.id}/priority`, { priority }));
    this.#markChanged([record.id]);
  }

  /** Performs a command. Returns whether this screen has it. */
  perform(command) {
    if (this.list.move(command)) return true;
    const names = Object.keys(orders);
    const actions = {
      open: () => this.list.open(),
      add: () => askForSources(),
      pauseAll: () => this.#pause(),
      pause: () => this.#pause(this.#selectedRecord),
      fewer: () => this.#run('', async () => say(await (await library()).changeConcurrency(-1))),
      more: () => this.#run('', async () => say(await (await library()).changeConcurrency(1))),
      refresh: () => this.#command('refresh'),
      loadMore: () => this.#command('more'),
      reload: () => this.#reload(),
      retry: () => this.#command('retry'),
      details: () => {
        if (this.#selectedRecord) this.router.open(`/records/${this.#selectedRecord.id}/details`);
      },
      remove: () => {
        const record = this.#selectedRecord;
        if (record) askToRemove(record);
      },
      reset: () => askToReset(this.records.size),
      filter: () => this.filter.focus(),
      sort: () => {
        this.sort.value = names[(names.indexOf(this.#sorting) + 1) % names.length];
        this.#arrange({ sort: this.sort.value });
      },
      reverse: () => this.#arrange({ reverse: this.parameters.has('reverse') ? '' : '1' }),
      lift: () => this.list.lift(this.list.lifted >= 0 ? -1 : this.list.selected),
      back: () => {
        if (this.list.lifted >= 0) this.list.lift(-1);
        else if (this.list.selected >= 0) this.list.select(-1);
        else {
          this.filter.value = '';
          this.sort.value = 'added';
          this.#arrange({ filter: '', sort: 'added', reverse: '' });
        }
      },
    };
    if (this.toolbar.buttons[command]?.disabled) return true;
    actions[command]?.();
    return command in actions;
  }
}
