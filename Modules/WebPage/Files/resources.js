// The screen of a record's resources (screen 2): a grid of thumbnails or a list.

import { call } from './api.js';
import { button, commandButton, element, finishLoading, say, showProblem } from './elements.js';
import { followRecord } from './follow.js';
import { VirtualGrid } from './grid.js';
import { Marks, states, Tiles } from './tiles.js';
import { bytes, counted, milliseconds, nameOf, number, rate, visible } from './text.js';
import { Thumbnails } from './thumbnails.js';

const { early } = window;

// The first screen waits for all scripts that are imported above, and not for this one.
const library = () => import('./library.js');

/** Milliseconds without scrolling after which blurred images are shown, and imgdld is told the visible range. */
const restingTime = 150;
/** Milliseconds between reports of the visible range. */
const renewalTime = 20_000;
/** The number of resources before the end at which the source's next page is read. */
const loadAhead = 50;

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

export class ResourcesScreen {
  constructor(view, record, router) {
    this.record = record;
    this.router = router;
    this.parameters = new URLSearchParams(location.search);
    this.active = new Map();
    this.marks = new Marks();
    this.thumbnails = new Thumbnails((resources) => this.#refreshAll(resources));
    // Each tab is a viewer: imgdld downloads first what viewers see.
    this.viewerID = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
    this.#build(view);
    this.following = followRecord(record, router, {
      renew: () => { this.ready = this.#open(); },
      reread: (resources) => this.#reread(resources),
      progress: (progress) => this.#showProgress(progress),
    });
    this.renewing = setInterval(() => this.#tellVisible(), renewalTime);
    this.ready = this.#open();
  }

  close() {
    this.isClosed = true;
    this.following.stop();
    clearInterval(this.renewing);
    clearTimeout(this.resting);
    this.viewer?.close();
    this.thumbnails.close();
    call('DELETE', `/v1/viewers/${this.viewerID}`).catch(() => {});
  }

  /** The name of the visible screen in the key table. */
  get place() {
    return this.viewer ? this.viewer.place : 'resources';
  }

  /** Shows the resource at `place` in the viewer, or the grid for null. */
  async show(place) {
    await this.ready;
    if (this.isClosed) return;
    if (place === null) {
      this.viewer?.close();
      this.viewer = null;
      this.grid.element.focus();
      this.#renewOutdated();
      return;
    }
    if (!this.tiles.view) {
      // The reading failed and is repeated.
      this.missedPlace = place;
      return;
    }
    if (!this.viewer) {
      const { Viewer } = await import('./viewer.js');
      if (this.isClosed || this.viewer) return;
      this.viewer = new Viewer(this.tiles, {
        onMove: (index) => {
          this.grid.select(index);
          this.router.replace(this.#address(index + 1));
        },
        onClose: () => this.#leaveViewer(),
        activityOf: (id) => this.active.get(id),
      });
    }
    const index = Math.max(0, Math.min(place - 1, this.tiles.total - 1));
    if (index < place - 1 && this.tiles.total > 0) this.router.replace(this.#address(index + 1));
    this.grid.select(index);
    this.viewer.show(index);
  }

  /** Returns to the grid, by the browser's history if that leads there. */
  #leaveViewer() {
    if (this.cameFromGrid) {
      history.back();
    } else {
      this.router.replace(this.#address(null));
      this.show(null);
    }
    this.cameFromGrid = false;
  }

  #address(place) {
    const query = this.parameters.toString();
    const path = `/records/${this.record}${place === null ? '' : `/${place}`}`;
    return query ? `${path}?${query}` : path;
  }

  #build(view) {
    this.title = element('h1', { textContent: '…' });
    this.summary = element('p', { className: 'summary' });
    const command = (text, name) => commandButton(text, name, 'resources', () => this.perform(name));
    this.buttons = {
      pause: command('Pause', 'pause'), refresh: command('Refresh', 'refresh'),
      reload: command('Reload', 'reload'), retry: command('Retry', 'retry'),
      details: command('Details', 'details'), layout: command('List', 'layout'),
      mark: button('Mark all', { key: 'Control+A', press: () => this.#markAll() }),
      help: button('Help', { key: '?', press: () => dispatchEvent(new Event('imgdl-help')) }),
      slices: button('Slices', { press: () => this.router.open(`/records/${this.record}/slices`) }),
    };
    this.buttons.slices.hidden = true;
    this.marking = button('', { press: () => this.#unmark() });
    this.marking.hidden = true;
    const choice = (label, name, values) => {
      const select = element('select', {
        ariaLabel: label, onchange: () => this.#choose(name, select.value),
      }, Object.entries(values).map(([value, { text }]) => new Option(text, value)));
      const chosen = this.parameters.get(name);
      if (chosen in values) select.value = chosen;
      return select;
    };
    this.filter = choice('Show', 'show', selections);
    this.sort = choice('Sort by', 'sort', orders);
    this.grid = new VirtualGrid({
      label: 'Resources',
      createTile,
      fillTile: (tile, index) => this.#fill(tile, index),
      onOpen: (index) => {
        this.cameFromGrid = true;
        this.router.open(this.#address(index + 1));
      },
      onMark: (index) => this.#mark(index),
      onScroll: () => this.#scroll(),
      onSlow: () => this.#refreshVisible(),
      onPull: () => this.perform('refresh'),
    });
    this.grid.element.addEventListener('keydown', (event) => {
      if (event.key !== 'a' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#markAll();
    });
    this.empty = element('div', { className: 'empty', hidden: true });
    this.#setLayout(this.parameters.get('layout') === 'list');
    view.replaceChildren(
      element('header', {}, [
        commandButton('‹ Records', 'back', 'resources', () => this.router.open('/')), this.title, this.summary,
        element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Record' },
          Object.values(this.buttons)),
        this.marking,
        element('div', { className: 'search' }, [this.filter, this.sort]),
      ]),
      this.grid.element, this.empty);
  }

  #setLayout(isList) {
    this.grid.setList(isList);
    this.buttons.layout.textContent = isList ? 'Grid' : 'List';
  }

  // Loading

  async #open() {
    const show = selections[this.filter.value];
    const { order, descending } = orders[this.sort.value];
    const selection = Object.fromEntries(Object.entries({ states: show.states, order, descending })
      .filter(([, value]) => value !== undefined));
    this.isNatural = Object.keys(selection).length === 0;
    this.#keepSelection();
    const tiles = new Tiles(this.record, selection, (from, to) => this.#showLoaded(from, to));
    this.tiles = tiles;
    let selected;
    try {
      const reading = this.#readRecord();
      // The counts before the view tell later whether it may be outdated.
      if (!this.isNatural) await reading;
      this.counts = JSON.stringify(this.known?.counts);
      await Promise.all([tiles.open(), reading]);
      selected = await this.#findSelected(tiles);
    } catch (problem) {
      this.following.fail(problem);
      return;
    }
    if (this.isClosed || tiles !== this.tiles) return;
    this.viewer?.renew(tiles);
    this.#showView();
    // All marks mean all of the view, also after a refresh.
    if (this.marks.total !== null && this.marks.total !== tiles.total) this.#markAll();
    this.#moveSelection(selected);
    finishLoading(this.grid.element);
    if (this.missedPlace) this.show(this.missedPlace);
    this.missedPlace = null;
    this.#renewOutdated();
  }

  /**
   * Makes the view again if the record's counts have changed and resources are missing from an empty view, or no work
   * is left. A view is not made again during work, which would move what the user looks at, and not under the viewer.
   */
  #renewOutdated() {
    if (this.isNatural || this.viewer || !this.tiles.view || !this.known) return;
    const { counts } = this.known;
    if (JSON.stringify(counts) === this.counts) return;
    const isWanted = this.tiles.total === 0
      ? selections[this.filter.value].count(counts) > 0 : counts.finished + counts.failed === counts.total;
    if (isWanted) this.ready = this.#open();
  }

  /** Remembers which resource is selected, because it may have another index in the next view. */
  #keepSelection() {
    const { tiles, grid: { selected } } = this;
    const id = tiles?.at(selected)?.id;
    if (id) this.kept = { id, selected, total: tiles.total };
  }

  /** Returns the index of the selected resource; undefined if it is unknown, and -1 if the view does not have it. */
  async #findSelected(tiles) {
    const { kept } = this;
    if (!kept) return undefined;
    return await tiles.find(kept.id, kept.selected, tiles.total - kept.total) ?? -1;
  }

  #moveSelection(index) {
    this.kept = null;
    // The viewer keeps its resource itself, and selects it.
    if (index !== undefined && index !== this.grid.selected && !this.viewer) this.grid.select(index, true);
  }

  /** Shows the view, which was made or, after imgdld had discarded it, made again. */
  #showView() {
    const { view, total } = this.tiles;
    this.view = view;
    this.seen = null;
    this.grid.element.hidden = total === 0;
    this.grid.setCount(total);
    this.empty.hidden = total > 0;
    this.empty.textContent = 'There is nothing here.';
  }

  async #readRecord() {
    const path = `/v1/records/${this.record}`;
    const record = await call('GET', path, undefined, early.take(path));
    if (this.isClosed) return;
    const { counts } = record;
    // A lazy record opens as a list: its names are known first (LZ1).
    if (!this.known && record.isLazy && !this.parameters.has('layout')) this.#setLayout(true);
    this.known = record;
    this.title.textContent = visible(record.title);
    document.title = `${this.title.textContent} – imgdl`;
    this.buttons.retry.disabled = counts.failed === 0;
    this.buttons.pause.textContent = record.isPaused ? 'Resume' : 'Pause';
    this.buttons.pause.disabled = !record.isPaused && counts.total === counts.finished + counts.failed;
    this.buttons.slices.hidden = !record.isSeries;
    this.#showSummary();
  }

  #showSummary() {
    const { counts, status } = this.known;
    this.summary.textContent = [
      status, `${number(counts.finished)}/${number(counts.total)}`,
      counts.failed > 0 && !status.includes('failed') ? `${number(counts.failed)} failed` : '',
      counts.bytes > 0 ? bytes(counts.bytes) : '', this.active.size > 0 ? rate(this.speed) : '',
    ].filter(Boolean).join(' · ');
  }

  #showLoaded(from, to) {
    // Until a view is made, the tiles of the former one stay.
    if (!this.tiles.view) return;
    if (this.view !== this.tiles.view) this.#showView();
    this.#refreshVisible(from, to);
    this.viewer?.refresh(from, to);
  }

  /** Fills the visible tiles of a range again, and requests thumbnails. */
  #refreshVisible(from = 0, to = this.grid.count) {
    const [first, last] = this.grid.visible;
    const margin = this.grid.columns * 4;
    const start = Math.max(from, first - margin);
    const count = Math.max(0, Math.min(to, last + margin) - start);
    this.grid.refreshSoon(Array.from({ length: count }, (_, place) => start + place));
    if (!this.grid.isFlung) this.#wantThumbnails();
  }

  #choose(name, value) {
    if (value === 'all' || value === 'position') this.parameters.delete(name);
    else this.parameters.set(name, value);
    this.router.replace(this.#address(null));
    this.#unmark();
    this.ready = this.#open();
  }

  #scroll() {
    if (!this.tiles) return;
    const [first, last] = this.grid.visible;
    if (first === this.seen?.[0] && last === this.seen?.[1]) return;
    this.seen = [first, last];
    const room = last - first;
    const [from, to] = [Math.max(0, first - room), last + room];
    (this.grid.isList ? this.tiles.loadRows(from, to) : this.tiles.load(from, to)).catch(() => {});
    // The thumbnails of a fling would arrive when their tiles have passed.
    if (!this.grid.isFlung) this.#wantThumbnails();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.#rest(), restingTime);
  }

  #wantThumbnails() {
    const [first, last] = this.grid.visible;
    const wanted = [];
    // The visible tiles come first, then a screenful on both sides.
    for (const [from, to] of [[first, last], [last, 2 * last - first], [2 * first - last, first]]) {
      for (let index = Math.max(0, from); index < Math.min(to, this.tiles.total); index += 1) {
        const tile = this.tiles.at(index);
        if (tile) wanted.push(tile);
      }
    }
    this.thumbnails.want(wanted);
  }

  async #rest() {
    this.#tellVisible();
    const isNearEnd = this.grid.visible[1] + loadAhead >= this.tiles.total;
    if (this.known?.hasMore && this.isNatural && isNearEnd) this.#loadMore();
    this.resting = null;
    // Until now, average colours were shown: a canvas takes longer than most thumbnails.
    this.decodeThumbHash ??= (await import('./thumbhash.js').catch(() => ({}))).decodeThumbHash;
    this.#refreshVisible();
  }

  /** Reads the next page of the source (RM8). */
  async #loadMore() {
    if (this.isLoadingMore) return;
    this.isLoadingMore = true;
    await this.#run(() => call('POST', `/v1/records/${this.record}/more`));
    this.isLoadingMore = false;
  }

  /** Reports the visible range, which imgdld downloads first; of a lazy record, nothing else. */
  async #tellVisible() {
    if (document.hidden || this.grid.count === 0) return;
    const { visible } = this.grid;
    try {
      const range = this.isNatural
        ? visible : await (await import('./find.js')).findQueued(this.tiles, visible);
      // Meanwhile, other tiles may have become visible.
      if (!range || this.isClosed || String(visible) !== String(this.grid.visible)) return;
      const [from, to] = range;
      await call('PUT', `/v1/viewers/${this.viewerID}/records/${this.record}`, { from, to });
    } catch {
      // The range is reported again.
    }
  }

  // Tiles

  #fill(tile, index) {
    const [blur, picture, label, texts] = tile.children;
    const item = this.tiles?.at(index);
    const image = item ? `${item.id}.${item.version}` : '';
    const name = item?.version && !this.grid.isFlung ? image : '';
    if (picture.shown !== name) {
      const address = name && this.thumbnails.addressOf(item);
      picture.shown = address ? name : '';
      picture.hidden = true;
      if (address) picture.src = address;
      else picture.removeAttribute('src');
    }
    const isBlurred = item?.hash && (!picture.shown || picture.hidden);
    tile.style.backgroundColor = isBlurred && !this.grid.isList ? item.color : '';
    const key = isBlurred && !this.resting && this.decodeThumbHash ? image : '';
    if (tile.dataset.blur !== key) {
      tile.dataset.blur = key;
      blur.hidden = key === '';
      if (key) showBlur(blur, this.decodeThumbHash(item.hash));
    }
    // The shape of an image that is being downloaded.
    tile.style.setProperty('--ratio', picture.shown || key || !item ? 0 : item.ratio);
    const text = item ? this.active.get(item.id) ?? item.text : '';
    label.textContent = this.grid.isList ? '' : text;
    label.hidden = label.textContent === '';
    tile.dataset.state = item?.state === states.failed ? 'failed' : '';
    const isMarked = item !== undefined && this.marks.has(item.id);
    tile.classList.toggle('marked', isMarked);
    const row = this.tiles?.rowAt(index);
    texts.hidden = !this.grid.isList;
    if (this.grid.isList) fillTexts(texts, row, text);
    const place = `${number(index + 1)} of ${number(this.grid.count)}`;
    tile.ariaLabel = [
      row ? `${place}, ${visible(nameOf(row))}` : `Image ${place}`, item ? text : 'loading',
      isMarked ? 'marked' : '',
    ].filter(Boolean).join(', ');
  }

  #refreshAll(resources) {
    const indexes = resources.map((id) => this.tiles.indexOf(id));
    this.grid.refreshSoon(indexes.filter((index) => index !== undefined));
  }

  // Marks

  #mark(index) {
    const item = this.tiles.at(index);
    if (!item) return;
    this.marks.toggle(item.id);
    this.#showMarks();
  }

  #markAll() {
    this.marks.markAll(this.tiles.total);
    this.#showMarks();
  }

  #unmark() {
    this.marks.clear();
    this.#showMarks();
  }

  #showMarks() {
    const { count } = this.marks;
    this.marking.hidden = count === 0;
    this.marking.textContent = `${number(count)} marked ✕`;
    this.marking.ariaLabel = `${number(count)} marked; remove the marks`;
    this.grid.refreshRows();
    if (count > 0) say(`${number(count)} marked`);
  }

  // Changes

  #showProgress({ active, records, bytesPerSecond }) {
    const old = this.active;
    const own = active.filter(({ record }) => record === this.record);
    this.active = new Map(own.map((resource) => [resource.id, activityText(resource)]));
    for (const { id, width, height } of own) {
      const index = this.tiles?.indexOf(id);
      if (index === undefined || old.get(id) === this.active.get(id)) continue;
      const tile = this.tiles.at(index);
      if (tile && width) tile.ratio = width / height;
      this.grid.refresh(index);
    }
    this.viewer?.showProgress();
    // While no other record is active, the library's rate is this record's.
    this.speed = records.length === 1 && records[0].id === this.record ? bytesPerSecond : 0;
    if (this.known) this.#showSummary();
  }

  async #reread(resources) {
    const changed = resources ?? this.tiles.indexes.keys();
    await Promise.all([this.tiles.reload(changed), this.#readRecord()]).catch(() => {});
    this.#renewOutdated();
    if (this.grid.isList) {
      const [first, last] = this.grid.visible;
      this.tiles.loadRows(first, last).catch(() => {});
    }
  }

  // Commands

  async #run(work) {
    try {
      const answer = await work();
      if (answer?.count !== undefined) say(counted(answer.count, 'resource'));
    } catch (problem) {
      showProblem(problem);
    }
  }

  /** Retries or reloads the marked resources, else the filtered ones, else the record. */
  #repeat(verb) {
    const path = `/v1/records/${this.record}/${verb}`;
    const { marks } = this;
    if (marks.count === 0) {
      return this.#run(() => (this.isNatural ? call('POST', path) : this.tiles.command(verb)));
    }
    const ids = marks.ids;
    this.#unmark();
    return this.#run(() => (ids === null ? this.tiles.command(verb) : call('POST', path, { resources: ids })));
  }

  /** Performs a command. Returns whether this screen has it. */
  perform(command) {
    if (this.viewer) return this.viewer.perform(command);
    if (this.grid.move(command)) return true;
    const actions = {
      back: () => {
        if (this.grid.lifted >= 0) this.grid.lift(-1);
        else if (this.marks.count > 0) this.#unmark();
        else this.router.open('/');
      },
      open: () => { if (this.grid.selected >= 0) this.grid.onOpen(this.grid.selected); },
      pauseAll: () => this.#run(async () => say(await (await library()).togglePause())),
      fewer: () => this.#run(async () => say(await (await library()).changeConcurrency(-1))),
      more: () => this.#run(async () => say(await (await library()).changeConcurrency(1))),
      pause: () => this.#run(() => call(
        'POST', `/v1/records/${this.record}/${this.known?.isPaused ? 'resume' : 'pause'}`)),
      refresh: () => this.#run(() => call('POST', `/v1/records/${this.record}/refresh`)),
      loadMore: () => this.#loadMore(),
      reload: () => this.#repeat('reload'),
      retry: () => this.#repeat('retry'),
      details: () => this.router.open(`/records/${this.record}/details`),
      layout: () => {
        this.#setLayout(!this.grid.isList);
        this.parameters.set('layout', this.grid.isList ? 'list' : 'grid');
        this.router.replace(this.#address(null));
        this.seen = null;
        this.#scroll();
      },
      lift: () => this.grid.lift(this.grid.lifted >= 0 ? -1 : this.grid.selected),
    };
    if (this.buttons[command]?.disabled) return true;
    actions[command]?.();
    return command in actions;
  }
}

/** The status text of an active resource, as in all programs, and the dimensions of its image. */
function activityText({ stage, received = 0, expected, width, height }) {
  if (stage === 'unzipping') return 'Unzipping';
  if (stage === 'rendering') return 'Rendering';
  const part = expected > 0 ? `${Math.min(99, Math.floor((received / expected) * 100))}%` : bytes(received);
  return `Downloading ${part}${width ? ` · ${width} × ${height}` : ''}`;
}

function createTile() {
  const picture = element('img', { alt: '', decoding: 'async', draggable: false, hidden: true });
  const blur = element('canvas', { width: 1, height: 1, hidden: true });
  picture.onload = () => {
    picture.hidden = false;
    blur.hidden = true;
  };
  const texts = element('div', { className: 'texts', hidden: true }, [
    element('span', { className: 'strong' }), element('span', { className: 'state' }),
    element('span', { className: 'dim' }),
  ]);
  return element('div', { className: 'tile' }, [
    blur, picture, element('span', { className: 'label', hidden: true }), texts,
  ]);
}

function showBlur(canvas, image) {
  Object.assign(canvas, { width: image.width, height: image.height });
  canvas.getContext('2d').putImageData(image, 0, 0);
}

/** Fills the name, the state with its reason, and the size and time of a line. */
function fillTexts(texts, row, text) {
  const [name, state, facts] = texts.children;
  const { timings } = row?.file ?? {};
  const time = timings?.lastByte === undefined ? '' : milliseconds(timings.lastByte - (timings.queue ?? 0));
  const reason = row?.reason?.split('; --password-file')[0];
  name.textContent = row ? visible(nameOf(row)) : '…';
  state.textContent = [text || row?.status, reason ? visible(reason) : ''].filter(Boolean).join(': ');
  facts.textContent = [
    row?.file ? bytes(row.file.byteCount) : '', time, row?.pageCount > 1 ? counted(row.pageCount, 'page') : '',
  ].filter(Boolean).join(' · ');
}
