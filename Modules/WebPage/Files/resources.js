// The resources of a record: screen 2, a grid of thumbnails.

import { call } from './api.js';
import { button, element, say } from './elements.js';
import { VirtualGrid } from './grid.js';
import { listen } from './live.js';
import { states, Tiles } from './tiles.js';
import { bytes, counted, number, visible } from './text.js';
import { Viewer } from './viewer.js';

/** The time in milliseconds for which changes are collected before their tiles are read again. */
const collectingTime = 250;
/** The time in milliseconds after which scrolling rests: visible tiles of a lazy record are then fetched. */
const restingTime = 150;
/** The time in milliseconds after which imgdld is told again what is visible. */
const renewalTime = 20_000;

const selections = {
  all: { text: 'All' },
  unfinished: { text: 'Unfinished', states: ['queued', 'stored', 'fetched'] },
  finished: { text: 'Finished', states: ['finished'] },
  failed: { text: 'Failed', states: ['failed'] },
};

const orders = {
  position: { text: 'Order of the record' },
  size: { text: 'Largest first', order: 'size', descending: true },
  duration: { text: 'Slowest first', order: 'duration', descending: true },
};

/** The events without a record, which concern every record. */
const ofLibrary = new Set(['paused', 'resumed', 'retried']);

export class ResourcesScreen {
  /**
   * @param {HTMLElement} view
   * @param {number} record
   * @param {object} router Changes the address.
   */
  constructor(view, record, router) {
    this.record = record;
    this.router = router;
    this.parameters = new URLSearchParams(location.search);
    this.dirty = new Set();
    this.active = new Map();
    // One viewer for each tab: imgdld fetches what its viewers see first.
    this.viewerID = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
    this.#build(view);
    this.stopListening = listen((message) => this.#receive(message));
    this.renewing = setInterval(() => this.#tellVisible(), renewalTime);
    this.ready = this.#open();
  }

  close() {
    this.stopListening();
    clearInterval(this.renewing);
    clearTimeout(this.resting);
    clearTimeout(this.collecting);
    this.viewer?.close();
    call('DELETE', `/v1/viewers/${this.viewerID}`).catch(() => {});
  }

  /** Shows the item of the address, or the grid. */
  async show(place) {
    await this.ready;
    if (place === null) {
      this.viewer?.close();
      this.viewer = null;
      this.grid.element.focus();
      return;
    }
    if (!this.viewer) {
      this.viewer = new Viewer(this.tiles, {
        onMove: (index) => {
          this.grid.select(index);
          this.router.replace(this.#address(index + 1));
        },
        onClose: () => this.#leaveViewer(),
      });
    }
    this.viewer.show(Math.max(0, Math.min(place - 1, this.tiles.total - 1)));
  }

  /** Goes back to the grid, with the button of the browser if that leads there. */
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
    this.buttons = {
      back: button('‹ Records', 'Escape', () => this.router.open('/')),
      reload: button('Reload', 'l', () => this.#command('reload')),
      retry: button('Retry', 't', () => this.#command('retry')),
      refresh: button('Refresh', 'r', () => this.#command('refresh')),
    };
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
      onSelect: () => {},
      onOpen: (index) => {
        this.cameFromGrid = true;
        this.router.open(this.#address(index + 1));
      },
      onScroll: () => this.#scroll(),
    });
    this.empty = element('div', { className: 'empty', hidden: true });
    view.replaceChildren(
      element('header', {}, [
        this.buttons.back, this.title, this.summary,
        element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Record' },
          [this.buttons.reload, this.buttons.retry, this.buttons.refresh]),
        element('div', { className: 'search' }, [this.filter, this.sort]),
      ]),
      this.grid.element, this.empty);
  }

  // Loading

  async #open() {
    const show = selections[this.filter.value];
    const { order, descending } = orders[this.sort.value];
    const selection = Object.fromEntries(Object.entries({ states: show.states, order, descending })
      .filter(([, value]) => value !== undefined));
    this.isNatural = Object.keys(selection).length === 0;
    this.tiles = new Tiles(this.record, selection, (from, to) => this.#showLoaded(from, to));
    try {
      await Promise.all([this.tiles.open(), this.#readRecord()]);
    } catch (problem) {
      if (problem.status === 404) this.#showMissing();
      else if (problem.status !== 401) setTimeout(() => { this.ready = this.#open(); }, 2000);
      return;
    }
    this.grid.setCount(this.tiles.total);
    this.grid.element.hidden = this.tiles.total === 0;
    this.empty.hidden = this.tiles.total > 0;
    this.empty.textContent = 'There is nothing here.';
    document.getElementById('view').ariaBusy = 'false';
    if (!document.querySelector(':focus')) this.grid.element.focus();
  }

  async #readRecord() {
    const record = await call('GET', `/v1/records/${this.record}`);
    const { counts } = record;
    this.title.textContent = visible(record.title);
    document.title = `${this.title.textContent} – imgdl`;
    this.summary.textContent = `${record.status} · ${number(counts.finished)}/${number(counts.total)}`
      + (counts.bytes > 0 ? ` · ${bytes(counts.bytes)}` : '');
    this.buttons.retry.disabled = counts.failed === 0;
  }

  #showMissing() {
    this.grid.element.hidden = true;
    this.empty.hidden = false;
    this.empty.textContent = 'This record does not exist.';
    document.getElementById('view').ariaBusy = 'false';
  }

  #showLoaded(from, to) {
    if (this.grid.count !== this.tiles.total) {
      this.grid.setCount(this.tiles.total);
      return;
    }
    const [first, last] = this.grid.visible;
    for (let index = Math.max(from, first - this.grid.columns * 4);
      index < Math.min(to, last + this.grid.columns * 4); index += 1) {
      this.grid.refresh(index);
    }
    this.viewer?.refresh(from, to);
  }

  #choose(name, value) {
    if (value === 'all' || value === 'position') this.parameters.delete(name);
    else this.parameters.set(name, value);
    this.router.replace(this.#address(null));
    this.ready = this.#open();
  }

  #scroll() {
    const [first, last] = this.grid.visible;
    if (first === this.seen?.[0] && last === this.seen?.[1]) return;
    this.seen = [first, last];
    const room = last - first;
    this.tiles.load(Math.max(0, first - room), last + room).catch(() => {});
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.#tellVisible(), restingTime);
  }

  /** Tells imgdld what is visible, which it then fetches first; of a lazy record, it fetches nothing else. */
  #tellVisible() {
    if (!this.isNatural || document.hidden || this.grid.count === 0) return;
    const [from, to] = this.grid.visible;
    call('PUT', `/v1/viewers/${this.viewerID}/records/${this.record}`, { from, to }).catch(() => {});
  }

  // Tiles

  #fill(tile, index) {
    const [picture, label] = tile.children;
    const item = this.tiles.at(index);
    const source = item?.version
      ? `/v1/resources/${item.id}/pages/1/thumbnail?v=${item.version}` : '';
    if (picture.dataset.source !== source) {
      picture.dataset.source = source;
      picture.hidden = true;
      if (source) picture.src = source;
      else picture.removeAttribute('src');
    }
    const text = item ? this.active.get(item.id) ?? item.text : '';
    label.textContent = text;
    label.hidden = text === '';
    tile.dataset.state = item?.state === states.failed ? 'failed' : '';
    tile.ariaLabel = `${number(index + 1)} of ${number(this.grid.count)}${text ? `, ${text}` : ''}`;
  }

  // Events

  #receive(message) {
    switch (message.kind) {
      case 'connection':
        if (message.state === 'away') this.wasAway = true;
        else if (this.wasAway) {
          this.wasAway = false;
          this.ready = this.#open();
        }
        break;
      case 'snapshot':
        if (message.followsGap) this.ready = this.#open();
        break;
      case 'progress':
        this.#receiveProgress(message.progress);
        break;
      case 'event':
        this.#receiveEvent(message.event);
        break;
    }
  }

  #receiveProgress({ active }) {
    const old = this.active;
    this.active = new Map(active.filter(({ record }) => record === this.record)
      .map((resource) => [resource.id, activityText(resource)]));
    for (const [id, text] of this.active) {
      const index = this.tiles.indexOf(id);
      if (index !== undefined && old.get(id) !== text) this.grid.refresh(index);
    }
    // What is no longer active has a new state, which only its tile tells.
    this.#markChanged([...old.keys()].filter((id) => !this.active.has(id)));
  }

  #markChanged(resources) {
    for (const id of resources) this.dirty.add(id);
    if (this.dirty.size > 0) this.collecting ??= setTimeout(() => this.#readChanged(), collectingTime);
  }

  #receiveEvent(event) {
    if (event.kind === 'wasReset' || (event.kind === 'recordRemoved' && event.record === this.record)) {
      this.#showMissing();
    } else if (event.record === this.record && event.kind === 'entriesAdded') {
      this.ready = this.#open();
    } else if (event.record === this.record || ofLibrary.has(event.kind)) {
      this.#markChanged(event.resource === undefined ? this.tiles.indexes.keys() : [event.resource]);
    }
  }

  async #readChanged() {
    this.collecting = null;
    const { dirty } = this;
    this.dirty = new Set();
    await Promise.all([this.tiles.reload(dirty), this.#readRecord()]).catch(() => {});
  }

  async #command(verb) {
    try {
      const answer = await call('POST', `/v1/records/${this.record}/${verb}`);
      if (answer?.count !== undefined) say(counted(answer.count, 'resource'));
    } catch (problem) {
      dispatchEvent(new CustomEvent('imgdl-problem', { detail: problem.message }));
    }
  }

  /** Handles a key that no element has handled. */
  press(key) {
    if (this.viewer) return this.viewer.press(key);
    const keys = { Escape: 'back', Backspace: 'back', l: 'reload', t: 'retry', r: 'refresh' };
    if (!(key in keys) || this.buttons[keys[key]].disabled) return false;
    this.buttons[keys[key]].click();
    return true;
  }
}

/** The text of a running resource, as in every program. */
function activityText({ stage, received = 0, expected }) {
  if (stage === 'unzipping') return 'Unzipping';
  if (stage === 'rendering') return 'Rendering';
  return expected > 0
    ? `Downloading ${Math.min(99, Math.floor((received / expected) * 100))}%`
    : `Downloading ${bytes(received)}`;
}

function createTile() {
  const picture = element('img', { alt: '', decoding: 'async', draggable: false, hidden: true });
  picture.onload = () => { picture.hidden = false; };
  return element('div', { className: 'tile' }, [
    picture, element('span', { className: 'label', hidden: true }),
  ]);
}
