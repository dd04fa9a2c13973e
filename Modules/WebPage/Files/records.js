// The screen of the library's records (screen 1).

import { askForSource } from './add.js';
import { batch, call } from './api.js';
import { ask } from './dialogs.js';
import { button, commandButton, element, finishLoading, say, showProblem } from './elements.js';
import { followLibrary } from './follow.js';
import { changeConcurrency } from './library.js';
import { VirtualList } from './list.js';
import { noteRead } from './live.js';
import { bytes, counted, duration, number, rate, visible } from './text.js';

/** The number of records in one request, the largest that imgdld answers. */
const portion = 1000;
/** Milliseconds for which changes are collected before the records are read again. */
const collectingTime = 250;
/** The numbers of simultaneous downloads on the slider. */
const stops = [
  ...Array.from({ length: 16 }, (_, index) => index + 1),
  20, 24, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
];

const orders = {
  added: { text: 'Added', compare: null },
  title: { text: 'Title', compare: (one, other) => one.title.localeCompare(other.title) },
  size: { text: 'Size', compare: (one, other) => other.counts.bytes - one.counts.bytes },
  state: { text: 'Unfinished', compare: (one, other) => unfinished(other) - unfinished(one) },
};

function unfinished({ counts }) {
  return counts.total - counts.finished - counts.failed;
}

/** Milliseconds after which the rate of a record without progress is not shown any more. */
const rateTime = 3000;

const priorities = { high: 'High', normal: 'Normal', low: 'Low' };

export class RecordsScreen {
  place = 'records';

  constructor(view, router) {
    this.router = router;
    this.records = new Map();
    this.order = [];
    this.shown = [];
    this.progress = null;
    this.status = null;
    this.samples = new Map();
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
    const command = (text, name) => commandButton(text, name, this.place, () => this.perform(name));
    this.buttons = {
      add: command('Add…', 'add'), pauseAll: command('Pause', 'pauseAll'),
      pause: command('Pause record', 'pause'), refresh: command('Refresh', 'refresh'),
      reload: command('Reload', 'reload'), retry: command('Retry', 'retry'),
      details: command('Details', 'details'), remove: command('Remove…', 'remove'),
      reset: command('Reset…', 'reset'),
      hosts: button('Hosts', { press: () => this.router.open('/hosts') }),
      help: button('Help', { key: '?', press: () => dispatchEvent(new Event('imgdl-help')) }),
    };
    this.priority = element('select', {
      ariaLabel: 'Priority', title: 'The order of the downloads', disabled: true,
      onchange: () => this.#setPriority(this.priority.value),
    }, Object.entries(priorities).map(([value, text]) => new Option(`${text} priority`, value)));
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
    this.total = element('div', { className: 'total' }, [
      element('span', { className: 'label', textContent: 'Total' }),
      element('progress', { max: 1, value: 0, ariaLabel: 'Total progress' }),
      element('span', { className: 'numbers' }),
    ]);
    this.slider = element('input', {
      type: 'range', min: 0, max: stops.length - 1, id: 'concurrency',
      oninput: () => this.#setConcurrency(stops[this.slider.value]),
    });
    this.limit = element('output', { htmlFor: 'concurrency' });
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
        element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Records' },
          [...Object.values(this.buttons), this.priority]),
        element('div', { className: 'search' }, [this.filter, this.sort]),
      ]),
      this.list.element, this.empty,
      element('footer', {}, [
        this.total,
        element('label', { className: 'slider' }, ['Downloads at once', this.slider, this.limit]),
      ]));
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
    const [title, status, bar, done, speed] = row.children;
    if (!record) return;
    const [link] = title.children;
    link.textContent = visible(record.title);
    link.title = link.textContent;
    link.href = addressOf(record);
    status.textContent = record.status;
    status.dataset.state = record.counts.failed > 0 ? 'failed' : '';
    const progress = this.#progressOf(record);
    bar.firstChild.value = progress.fraction;
    bar.firstChild.ariaLabel = `${Math.round(progress.fraction * 100)} %`;
    bar.firstChild.dataset.state = record.counts.failed > 0 ? 'failed' : '';
    done.textContent = `${number(progress.finished)}/${number(record.counts.total)}`;
    speed.textContent = this.#speedText(record.id);
  }

  /** The progress from the last event, otherwise from the row. */
  #progressOf({ id, counts }) {
    const live = this.progress?.records.find((record) => record.id === id);
    const settled = counts.finished + counts.failed;
    const fraction = live?.fraction ?? (counts.total === 0 ? 1 : settled / counts.total);
    return { finished: live?.finished ?? counts.finished, fraction };
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
    for (const record of progress.records) this.#sample(record, now);
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
        this.#showConcurrency(event.limit);
        break;
      default:
        if (record !== undefined) this.#markChanged([record]);
    }
  }

  #apply(status) {
    this.newer.status = status;
    this.status = status;
    this.progress = status.progress;
    this.#showConcurrency(status.concurrency);
    this.#redraw();
  }

  // Rates

  /** Keeps a record's byte counts of the last 8 s, from which its rate is estimated. */
  #sample({ id, bytes: count, fraction }, now) {
    const samples = this.samples.get(id) ?? [];
    samples.push({ now, count, fraction });
    while (samples.length > 2 && now - samples[0].now > 8000) samples.shift();
    this.samples.set(id, samples);
  }

  #speedText(id) {
    const samples = this.samples.get(id);
    // Without a transfer, such as after the end of the engine, the samples are outdated.
    if (!samples || !this.progress?.active.length) return '';
    if (!this.progress.records.some((record) => record.id === id)) return '';
    const [first, last] = [samples[0], samples[samples.length - 1]];
    const seconds = (last.now - first.now) / 1000;
    if (seconds < 1 || performance.now() - last.now >= rateTime) return '';
    const left = ((1 - last.fraction) * seconds) / (last.fraction - first.fraction);
    return [rate((last.count - first.count) / seconds), duration(left)].filter(Boolean).join(' · ');
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
    const selected = this.shown[this.list.selected];
    this.shown = this.order.filter((id) => this.records.get(id).title.toLowerCase().includes(text));
    const { compare } = orders[this.#sorting];
    if (compare) {
      this.shown.sort((one, other) => compare(this.records.get(one), this.records.get(other)));
    }
    if (this.parameters.has('reverse')) this.shown.reverse();
    this.list.setCount(this.shown.length);
    const index = this.shown.indexOf(selected);
    if (index >= 0) this.list.select(index);
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
      this.#showTotal();
      this.#updateButtons();
    });
  }

  #showTotal() {
    const { progress } = this;
    if (!progress) return;
    let [total, finished, failed, size] = [0, 0, 0, 0];
    for (const { counts } of this.records.values()) {
      total += counts.total;
      finished += counts.finished;
      failed += counts.failed;
      size += counts.bytes;
    }
    const [, bar, numbers] = this.total.children;
    bar.value = total === 0 ? 0 : (finished + failed) / total;
    bar.dataset.state = failed > 0 ? 'failed' : '';
    const speed = progress.active.length > 0 ? rate(progress.bytesPerSecond) : '';
    numbers.textContent = [
      `${number(finished)}/${number(total)}`, failed > 0 ? `${number(failed)} failed` : '',
      speed || (size > 0 ? bytes(size) : ''),
      speed && progress.secondsLeft !== undefined ? duration(progress.secondsLeft) : '',
    ].filter(Boolean).join(' · ');
    this.summary.textContent = counted(this.records.size, 'record');
  }

  // Commands

  get #selectedRecord() {
    return this.records.get(this.shown[this.list.selected]);
  }

  #updateButtons() {
    const record = this.#selectedRecord;
    const { pauseAll, pause, refresh, reload, retry, details, remove, reset } = this.buttons;
    const isPaused = this.#isLibraryPaused;
    pauseAll.textContent = isPaused ? 'Resume' : 'Pause';
    pauseAll.disabled = !isPaused && ![...this.records.values()].some(unfinished);
    pause.textContent = record?.isPaused ? 'Resume record' : 'Pause record';
    pause.disabled = !record || (!record.isPaused && unfinished(record) === 0);
    for (const each of [refresh, reload, details, remove, this.priority]) each.disabled = !record;
    this.priority.value = record?.priority ?? 'normal';
    retry.disabled = !(record
      ? record.counts.failed > 0 : [...this.records.values()].some(({ counts }) => counts.failed));
    reset.disabled = this.records.size === 0;
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

  /** Sets the priority: records with a higher one are downloaded first. */
  async #setPriority(priority) {
    const record = this.#selectedRecord;
    if (!record) return;
    await this.#run(`${priorities[priority]} priority`, () => call(
      'PUT', `/v1/records/${record.id}/priority`, { priority }));
    this.#markChanged([record.id]);
  }

  #remove() {
    const record = this.#selectedRecord;
    if (!record) return;
    ask({
      title: 'Remove the record?', action: 'Remove', isDangerous: true,
      content: [element('p', {
        textContent: `“${visible(record.title)}” and its ${counted(record.counts.total, 'resource')} will be deleted.`,
      })],
      accept: () => call('DELETE', `/v1/records/${record.id}`),
    });
  }

  #reset() {
    ask({
      title: 'Reset the library?', action: 'Delete everything', isDangerous: true,
      content: [element('p', {
        textContent: `${counted(this.records.size, 'record')} and all their files will be deleted.`,
      })],
      accept: () => call('POST', '/v1/reset'),
    });
  }

  // Concurrency

  #showLimit(limit) {
    this.limit.value = limit;
    this.slider.ariaValueText = counted(limit, 'download');
  }

  #showConcurrency(limit) {
    if (this.choosing !== undefined) return;
    this.#showLimit(limit);
    const nearest = stops.findLastIndex((stop) => stop <= limit);
    this.slider.value = Math.max(0, nearest);
  }

  /** Sets the limit while the slider is dragged: one request at a time, the last with the latest value. */
  async #setConcurrency(limit) {
    this.#showLimit(limit);
    const isRunning = this.choosing !== undefined;
    this.choosing = limit;
    if (isRunning) return;
    let sent;
    do {
      sent = this.choosing;
      await this.#run('', () => call('PUT', '/v1/settings/concurrency', { limit: sent }));
    } while (this.choosing !== sent);
    this.choosing = undefined;
    say(`${counted(sent, 'download')} at once`);
  }

  /** Performs a command. Returns whether this screen has it. */
  perform(command) {
    if (this.list.move(command)) return true;
    const names = Object.keys(orders);
    const actions = {
      open: () => this.list.open(),
      add: () => askForSource(),
      pauseAll: () => this.#pause(),
      pause: () => this.#pause(this.#selectedRecord),
      fewer: () => this.#run('', () => changeConcurrency(-1).then(say)),
      more: () => this.#run('', () => changeConcurrency(1).then(say)),
      refresh: () => this.#command('refresh'),
      loadMore: () => this.#command('more'),
      reload: () => this.#command('reload'),
      retry: () => this.#command('retry'),
      details: () => {
        if (this.#selectedRecord) this.router.open(`/records/${this.#selectedRecord.id}/details`);
      },
      remove: () => this.#remove(),
      reset: () => this.#reset(),
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
    if (this.buttons[command]?.disabled) return true;
    actions[command]?.();
    return command in actions;
  }
}

/** The address of a record; that of a series names the slice viewer. */
function addressOf({ id, isSeries }) {
  return `/records/${id}${isSeries ? '/slices' : ''}`;
}

function createRow() {
  const cell = (className, children = []) => element('div', { className, role: 'gridcell' }, children);
  return element('div', { className: 'row' }, [
    cell('title', [element('a', { tabIndex: -1 })]), cell('status'), cell('bar', [element('progress', { max: 1 })]),
    cell('done'), cell('speed'),
  ]);
}
