// The screen of a record's resources (screen 2): a grid of thumbnails or a list.

import { call } from './api.js';
import { activityText, createCell, fillCell, partOf } from './cells.js';
import { element, finishLoading } from './elements.js';
import { Failures } from './failures.js';
import { followRecord } from './follow.js';
import { VirtualGrid } from './grid.js';
import { RecordHeader } from './header.js';
import { Marks } from './marks.js';
import { ResourceCommands } from './resourcecommands.js';
import { Selection } from './selection.js';
import { states, Tiles } from './tiles.js';
import { Thumbnails } from './thumbnails.js';

const { early } = window;

/** Milliseconds without scrolling after which blurred images are shown, and imgdld is told the visible range. */
const restingTime = 150;
/** The number of resources before the end at which the source's next page is read. */
const loadAhead = 50;

export class ResourcesScreen {
  constructor(view, record, router) {
    this.record = record;
    this.router = router;
    this.parameters = new URLSearchParams(location.search);
    this.active = new Map();
    this.commands = new ResourceCommands(this);
    this.marks = new Marks({
      onChange: () => this.#showMarks(), onMarkAll: () => this.commands.markAll(),
      onRepeat: (verb) => this.commands.repeat(verb),
    });
    this.failures = new Failures((resources) => {
      this.#refreshAll(resources);
      this.#wantFailures();
    });
    this.thumbnails = new Thumbnails((resources) => this.#refreshAll(resources));
    this.#build(view);
    this.following = followRecord(record, router, {
      renew: () => { this.ready = this.#open(); },
      reread: (resources) => this.#reread(resources),
      progress: (progress) => this.#showProgress(progress),
    });
    this.ready = this.#open();
  }

  close() {
    this.isClosed = true;
    this.following.stop();
    clearTimeout(this.resting);
    this.viewer?.close();
    this.thumbnails.close();
    this.viewport?.close();
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
        activityOf: (id) => this.active.get(id)?.text,
        thumbnailOf: (tile) => this.thumbnails.addressOf(tile)
          ?? `/v1/resources/${tile.id}/pages/1/thumbnail?v=${tile.version}`,
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
    const { commands } = this;
    this.header = new RecordHeader({
      perform: (command) => this.perform(command), openMenu: (place) => commands.openRecordMenu(place),
      openSlices: () => commands.openSlices(), open: this.router.open,
    });
    this.selection = new Selection(this.parameters, () => {
      this.router.replace(this.#address(null));
      this.marks.clear();
      this.ready = this.#open();
    });
    this.grid = new VirtualGrid({
      label: 'Resources',
      createTile: createCell,
      fillTile: (cell, index) => this.#fill(cell, index),
      onOpen: (index) => {
        this.cameFromGrid = true;
        this.router.open(this.#address(index + 1));
      },
      onMark: (index) => commands.mark(index),
      onMarkRange: (from, to) => commands.markRange(from, to),
      onMarkAll: () => commands.markAll(),
      onRetry: (index) => commands.repeat('retry', [this.tiles.at(index).id]),
      isMarking: () => this.marks.count > 0,
      onMenu: (place) => commands.openMenu(place),
      onScroll: () => this.#scroll(),
      onSlow: () => this.#refreshVisible(),
      onPull: () => this.perform('refresh'),
    });
    this.empty = element('div', { className: 'empty', hidden: true });
    this.#setLayout(this.parameters.get('layout') === 'list');
    view.replaceChildren(
      element('header', {}, this.header.elements),
      element('div', { className: 'subheader' }, [
        this.selection.chips.element, this.marks.element, this.selection.sort.element,
      ]),
      this.grid.element, this.empty, this.header.bottom);
  }

  #setLayout(isList) {
    this.grid.setList(isList);
    this.header.showLayout(isList);
  }

  #showMarks() {
    this.grid.element.classList.toggle('marking', this.marks.count > 0);
    this.grid.refreshRows();
  }

  async #open() {
    const selection = this.selection.body;
    this.isNatural = Object.keys(selection).length === 0;
    // The selected resource may have another index in the next view.
    this.kept = this.tiles?.place(this.grid.selected) ?? this.kept;
    const tiles = new Tiles(this.record, selection, (from, to) => this.#showLoaded(from, to));
    this.tiles = tiles;
    let selected;
    try {
      const reading = this.#readRecord();
      // The counts before the view tell later whether it may be outdated.
      if (!this.isNatural) await reading;
      this.counts = JSON.stringify(this.known?.counts);
      await Promise.all([tiles.open(), reading]);
      if (this.kept) selected = await tiles.locate(this.kept);
    } catch (problem) {
      this.following.fail(problem);
      return;
    }
    if (this.isClosed || tiles !== this.tiles) return;
    this.viewer?.renew(tiles);
    this.#showView();
    // All marks mean all of the view, also after a refresh.
    if (this.marks.total !== null && this.marks.total !== tiles.total) this.commands.markAll();
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
      ? this.selection.count(counts) > 0 : counts.finished + counts.failed === counts.total;
    if (isWanted) this.ready = this.#open();
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
    // A lazy record opens as a list: its names are known first.
    if (!this.known && record.isLazy && !this.parameters.has('layout')) this.#setLayout(true);
    this.known = record;
    this.header.show(record);
    this.selection.show(record.counts);
    this.#showSummary();
  }

  #showSummary() {
    this.header.showSummary(this.known, this.active.size > 0 ? this.speed : 0);
  }

  #showLoaded(from, to) {
    // Until a view is made, the tiles of the former one stay.
    if (!this.tiles.view) return;
    if (this.view !== this.tiles.view) this.#showView();
    this.#refreshVisible(from, to);
    if (!this.resting) this.#wantFailures();
    this.viewer?.refresh(from, to);
  }

  /** Fills the visible tiles of a range again, and requests thumbnails. */
  #refreshVisible(from = 0, to = this.grid.count) {
    this.grid.refreshRange(from, to);
    if (!this.grid.isFlung) this.#wantThumbnails();
  }

  #scroll() {
    if (!this.tiles) return;
    const [first, last] = this.grid.visible;
    if (first === this.seen?.[0] && last === this.seen?.[1]) return;
    this.seen = [first, last];
    const room = last - first;
    const [from, to] = [Math.max(0, first - room), last + room];
    (this.grid.isList ? this.tiles.loadRows(from, to) : this.tiles.load(from, to)).catch(() => this.#scrollAgain());
    // The thumbnails of a fling would arrive when their tiles have passed.
    if (!this.grid.isFlung) this.#wantThumbnails();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.#rest(), restingTime);
  }

  /** Requests the visible resources again after a failed request, even without scrolling. */
  #scrollAgain() {
    clearTimeout(this.repeating);
    this.repeating = setTimeout(() => {
      if (this.isClosed) return;
      this.seen = null;
      this.#scroll();
    }, 2000);
  }

  #wantThumbnails() {
    const [first, last] = this.grid.visible;
    const read = ([from, to]) => this.tiles.between(from, to);
    // The visible tiles come first, then a screenful on both sides.
    this.thumbnails.want([[first, last], [last, 2 * last - first], [2 * first - last, first]].flatMap(read));
  }

  async #rest() {
    this.#tellVisible();
    const isNearEnd = this.grid.visible[1] + loadAhead >= this.tiles.total;
    if (this.known?.hasMore && this.isNatural && isNearEnd) this.commands.loadMore();
    this.resting = null;
    // Until now, average colours were shown: a canvas takes longer than most thumbnails.
    this.decodeThumbHash ??= (await import('./thumbhash.js').catch(() => ({}))).decodeThumbHash;
    this.#refreshVisible();
    this.#wantFailures();
  }

  #wantFailures() {
    if (this.isClosed || this.grid.isList) return;
    this.failures.want(this.tiles.between(...this.grid.visible).filter(({ state }) => state === states.failed));
  }

  async #tellVisible() {
    const { Viewport } = await import('./viewport.js').catch(() => ({}));
    if (this.isClosed || !Viewport) return;
    this.viewport ??= new Viewport(this);
    this.viewport.tell();
  }

  #fill(cell, index) {
    const { grid, tiles, thumbnails } = this;
    const tile = tiles?.at(index);
    fillCell(cell, {
      index, tile, count: grid.count, isList: grid.isList, row: tiles?.rowAt(index),
      text: tile ? this.active.get(tile.id)?.text ?? tile.text : '',
      part: tile && this.active.get(tile.id)?.part,
      failure: tile && this.failures.of(tile),
      isMarked: tile !== undefined && this.marks.has(tile.id),
      thumbnails: grid.isFlung ? null : thumbnails,
      decodeThumbHash: this.resting ? null : this.decodeThumbHash,
    });
  }

  #refreshAll(resources) {
    const indexes = resources.map((id) => this.tiles.indexOf(id));
    this.grid.refreshSoon(indexes.filter((index) => index !== undefined));
  }

  #showProgress({ active, records, bytesPerSecond }) {
    const old = this.active;
    const own = active.filter(({ record }) => record === this.record);
    this.active = new Map(own.map((each) => [each.id, { text: activityText(each), part: partOf(each) }]));
    for (const { id, width, height } of own) {
      const index = this.tiles?.indexOf(id);
      if (index === undefined || old.get(id)?.text === this.active.get(id).text) continue;
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
    this.failures.forget(resources);
    await Promise.all([this.tiles.reload(changed), this.#readRecord()]).catch(() => {});
    this.#renewOutdated();
    if (this.isClosed) return;
    if (this.grid.isList) this.tiles.loadRows(...this.grid.visible).catch(() => {});
    else this.#wantFailures();
  }

  /** Performs a command. Returns whether this screen has it. */
  perform(command) {
    if (this.viewer) return this.viewer.perform(command);
    if (this.grid.move(command)) return true;
    const { commands } = this;
    const actions = {
      back: () => {
        if (this.grid.lifted >= 0) this.grid.lift(-1);
        else if (this.marks.count > 0) this.marks.clear();
        else this.router.open('/');
      },
      open: () => { if (this.grid.selected >= 0) this.grid.onOpen(this.grid.selected); },
      pauseAll: () => commands.togglePauseOfAll(),
      fewer: () => commands.changeConcurrency(-1),
      more: () => commands.changeConcurrency(1),
      pause: () => commands.request(this.known?.isPaused ? 'resume' : 'pause'),
      refresh: () => commands.request('refresh'),
      loadMore: () => commands.loadMore(),
      reload: () => commands.reload(),
      retry: () => commands.repeat('retry'),
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
    if (!this.header.isPossible(command)) return true;
    actions[command]?.();
    return command in actions;
  }
}
