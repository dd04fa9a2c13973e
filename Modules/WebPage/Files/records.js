// The screen of the library's records (screen 1).

import { askForSources } from './add.js';
import { batch, call } from './api.js';
import { Arrangement, filters, orders } from './arrangement.js';
import { Chips } from './chips.js';
import { isPossible, request, run, setPriority, togglePause } from './commands.js';
import { ConcurrencySlider } from './concurrency.js';
import { Covers } from './covers.js';
import { choice, element, finishLoading } from './elements.js';
import { RecordsHeader } from './recordsheader.js';
import { emptiness } from './empty.js';
import { followLibrary } from './follow.js';
import { VirtualList } from './list.js';
import { noteRead } from './live.js';
import { Rates, rateTime } from './rates.js';
import { askToReload, askToRemove, askToReset } from './removal.js';
import { addressOf, createRow, fillRow } from './rows.js';
import { counted } from './text.js';
import { Totals } from './totals.js';

// The first screen waits for all scripts that are imported above, and not for this one. Dialogs are among those above: a
// key that follows the one that opens a dialog belongs to the dialog.
const library = () => import('./library.js');

/** The number of records in one request, the largest that imgdld answers. */
const portion = 1000;
/** Milliseconds for which changes are collected before the records are read again. */
const collectingTime = 250;

export class RecordsScreen {
  place = 'records';

  constructor(view, router) {
    this.router = router;
    this.records = new Map();
    this.order = [];
    this.shown = [];
    this.starts = [];
    this.progress = null;
    this.status = null;
    this.rates = new Rates();
    this.dirty = new Set();
    this.arrangement = new Arrangement(new URLSearchParams(location.search));
    this.covers = new Covers(() => this.#redraw());
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
    this.isClosed = true;
    this.stopListening();
    this.covers.close();
    clearTimeout(this.collecting);
    clearTimeout(this.reloading);
    clearTimeout(this.fading);
  }

  #build(view) {
    this.list = new VirtualList({
      label: 'Records',
      className: 'list records',
      create: createRow,
      fill: (row, index) => this.#fill(row, index),
      onSelect: () => this.header.show(this.records, this.#isLibraryPaused),
      onOpen: (index) => this.#open(this.records.get(this.shown[index])),
      onPull: () => this.perform('refresh'),
      onMenu: (place) => this.#openMenu(this.#selectedRecord, place),
      onScroll: () => this.#wantCovers(),
    });
    this.totals = new Totals();
    this.header = new RecordsHeader((name) => this.perform(name), this.totals.pace);
    this.filter = this.header.filter;
    this.filter.value = this.arrangement.parameters.get('filter') ?? '';
    this.filter.oninput = () => this.#arrange({ filter: this.filter.value });
    this.chips = new Chips('Show', filters, (show) => this.#arrange({ show }));
    this.sort = choice('Sort by', 'sort', orders, (sort) => this.#arrange({ sort }));
    this.sort.select.value = this.arrangement.sorting;
    this.empty = element('div', { className: 'empty', hidden: true });
    this.concurrency = new ConcurrencySlider();
    this.list.element.addEventListener('click', (event) => this.#click(event));
    this.list.element.addEventListener('error', ({ target }) => this.covers.reportMissing(target.record), true);
    view.replaceChildren(
      this.header.element,
      element('div', { className: 'subheader' }, [this.chips.element, this.sort.element]),
      this.list.element, this.empty,
      element('footer', { className: 'library' }, [this.totals.element, this.concurrency.element]),
      this.header.bottom);
    this.header.show(this.records, this.#isLibraryPaused);
  }

  /** A click on the cover or the title opens the record. The title is a link: a middle click opens a tab. */
  #click(event) {
    const row = event.target.closest('[role=row]');
    if (!row) return;
    const record = this.records.get(this.shown[row.dataset.index]);
    if (!record) return;
    if (event.target.closest('.retry')) this.#request('retry', record);
    const more = event.target.closest('.more');
    if (more) this.#openMenu(record, more);
    if (!event.target.closest('a, .cover') || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#open(record);
  }

  /** Opens a record, which is selected again when the user comes back. */
  #open(record) {
    history.replaceState({ record: record.id }, '');
    this.router.open(addressOf(record));
  }

  #selectOpened() {
    const index = this.shown.indexOf(history.state?.record);
    if (index < 0) return;
    history.replaceState(null, '');
    this.list.select(index);
    this.list.element.focus();
  }

  #fill(row, index) {
    const record = this.records.get(this.shown[index]);
    if (!record) return;
    fillRow(row, record, {
      live: this.progress?.records.find(({ id }) => id === record.id),
      pace: this.rates.of(record.id, this.progress),
      cover: this.covers.of(record),
      opens: this.starts.some((start) => start.index === index),
      closes: index === this.shown.length - 1 || this.starts.some((start) => start.index === index + 1),
    });
  }

  #wantCovers() {
    if (this.list.isFlung) return;
    const [first, last] = this.list.visibleRows;
    this.covers.want(this.shown.slice(first, last).map((id) => this.records.get(id)).filter(Boolean));
  }

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
        if (this.isClosed || this.loading !== loading) return;
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
    if (this.isClosed) return;
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
      if (this.isClosed) return;
      let isMoved = false;
      for (const record of rows) {
        // The record may have been removed meanwhile.
        const former = this.records.get(record?.id);
        if (!former) continue;
        isMoved ||= this.arrangement.isMoved(former, record);
        this.records.set(record.id, record);
      }
      if (isMoved) this.#arrange({});
      else this.#redraw();
      this.#wantCovers();
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
    if (!this.isClosed) this.collecting ??= setTimeout(() => this.#readChanged(), collectingTime);
  }

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
        this.covers.forgetAll();
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

  #arrange(change) {
    this.arrangement.change(change);
    const selected = this.shown[this.list.selected] ?? this.hidden;
    const { shown, starts, counts } = this.arrangement.arrange(this.records, this.order);
    Object.assign(this, { shown, starts });
    this.chips.show(this.arrangement.filter, counts);
    this.list.setHeadings(starts);
    this.list.setCount(shown.length);
    const index = shown.indexOf(selected);
    // A record that the filter hides is selected again when it is shown.
    this.hidden = index < 0 ? selected : undefined;
    this.list.select(index, true);
    // Changes by others move no row into sight.
    if (index >= 0 && Object.keys(change).length > 0) this.list.reveal(index);
    this.#showEmpty();
    this.#wantCovers();
    this.#redraw();
  }

  #showEmpty() {
    const { text, filter } = this.arrangement;
    this.empty.hidden = this.shown.length > 0;
    this.list.element.hidden = this.shown.length === 0;
    if (this.shown.length > 0) return;
    this.empty.replaceChildren(...emptiness(text, filter, () => this.perform('add')));
  }

  /** Shows rows, totals and buttons again, at most once per frame. */
  #redraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.list.refreshRows();
      this.#showTotals();
      this.header.show(this.records, this.#isLibraryPaused);
    });
  }

  #showTotals() {
    if (!this.progress) return;
    this.totals.show(this.records.values(), this.progress);
    this.header.summary.textContent = counted(this.records.size, 'record');
  }

  get #selectedRecord() {
    return this.records.get(this.shown[this.list.selected]);
  }

  get #isLibraryPaused() {
    return this.status?.isPaused ?? false;
  }

  /** Pauses or resumes a record, or all downloads if there is none. */
  async #pause(record) {
    const isPaused = record ? record.isPaused : this.#isLibraryPaused;
    await togglePause(record, isPaused);
    if (!record && this.status) this.status.isPaused = !isPaused;
    this.#loadSoon(0);
  }

  async #request(verb, record) {
    await request(verb, record);
    if (record) this.#markChanged([record.id]);
    else this.#loadSoon(0);
  }

  async #openMenu(record, place) {
    if (!record) return;
    const { showRecordMenu } = await import('./recordmenu.js');
    if (this.isClosed) return;
    showRecordMenu(record, place, (command) => this.perform(command, record), async (priority) => {
      await setPriority(record, priority);
      this.#markChanged([record.id]);
    });
  }

  async #openSettings() {
    const { showSettings } = await import('./settings.js');
    showSettings({
      limit: this.status?.concurrency ?? 1, canReset: this.records.size > 0, perform: (command) => this.perform(command),
      openHosts: () => this.router.open('/hosts'),
    });
  }

  /**
   * Performs a command. Returns whether this screen has it.
   * @param {object} [record] The record that it concerns. A menu names its own, because another one, or none, may be
   *   selected by the time when an item is chosen.
   */
  perform(command, record = this.#selectedRecord) {
    if (this.list.move(command)) return true;
    const changeLimit = (step) => run('', async () => (await library()).changeConcurrency(step));
    const actions = {
      open: () => { if (record) this.#open(record); },
      add: () => askForSources(),
      settings: () => this.#openSettings(),
      pauseAll: () => this.#pause(),
      pause: () => this.#pause(record),
      fewer: () => changeLimit(-1),
      more: () => changeLimit(1),
      refresh: () => this.#request('refresh', record),
      loadMore: () => { if (record) this.#request('more', record); },
      reload: async () => { if (await askToReload(record)) this.#markChanged([record.id]); },
      retry: () => this.#request('retry', record),
      retryAll: () => this.#request('retry'),
      details: () => this.router.open(`/records/${record.id}/details`),
      remove: () => askToRemove(record),
      reset: () => askToReset(this.records.size),
      filter: () => this.filter.focus(),
      sort: () => {
        this.sort.select.value = this.arrangement.nextSorting;
        this.#arrange({ sort: this.sort.select.value });
      },
      reverse: () => this.#arrange({ reverse: this.arrangement.parameters.has('reverse') ? '' : '1' }),
      lift: () => this.list.lift(this.list.lifted >= 0 ? -1 : this.list.selected),
      back: () => this.#goBack(),
    };
    if (!isPossible(command, this.records, record, this.#isLibraryPaused)) return true;
    actions[command]?.();
    return command in actions;
  }

  #goBack() {
    if (this.list.lifted >= 0) return this.list.lift(-1);
    if (this.list.selected >= 0) return this.list.select(-1);
    this.filter.value = '';
    this.sort.select.value = 'added';
    return this.#arrange({ filter: '', sort: '', show: '', reverse: '' });
  }
}
