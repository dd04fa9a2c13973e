// The slices of a series: one at a time, with a slider over all of them.

import { call } from './api.js';
import { commandButton, element, finishLoading, say } from './elements.js';
import { Facts } from './facts.js';
import { followRecord } from './follow.js';
import { states, Tiles } from './tiles.js';
import { number, visible } from './text.js';
import { Zoom } from './zoom.js';

/** The memory for decoded slices in bytes; beyond it, the farthest are dropped. */
const decodedLimit = 384 << 20;
/** The memory for encoded slices in bytes. */
const storedLimit = 512 << 20;
/** The number of slices that are loaded at once: two of six connections are left for events and requests. */
const loadLimit = 4;
/** The number of slices that are decoded at the same time. */
const decodeLimit = 4;
/** Milliseconds after the last step until imgdld is told the position. */
const restingTime = 150;
const renewalTime = 20_000;
const frameRates = [5, 10, 15, 24, 30];

export class SlicesScreen {
  place = 'slices';

  constructor(view, record, router) {
    this.record = record;
    this.router = router;
    this.position = 0;
    this.heading = 1;
    this.blobs = new Map();
    this.bitmaps = new Map();
    this.problems = new Map();
    /** Why resources have failed. */
    this.reasons = new Map();
    this.loading = new Map();
    this.decoding = new Set();
    this.decodedBytes = 0;
    this.storedBytes = 0;
    this.isInverted = false;
    this.frameRate = frameRates.length - 1;
    this.viewerID = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
    this.#build(view);
    this.following = followRecord(record, router, {
      renew: () => { this.ready = this.#open(); },
      reread: (resources) => this.#reread(resources),
    });
    this.renewing = setInterval(() => this.#tellPosition(), renewalTime);
    this.ready = this.#open();
  }

  close() {
    this.isClosed = true;
    this.following.stop();
    this.#play(false);
    clearInterval(this.renewing);
    clearTimeout(this.resting);
    for (const controller of this.loading.values()) controller.abort();
    for (const { bitmap } of this.bitmaps.values()) bitmap.close();
    call('DELETE', `/v1/viewers/${this.viewerID}`).catch(() => {});
  }

  async show(place) {
    await this.ready;
    if (place !== null && this.tiles?.total > 0) this.#moveTo(place - 1);
  }

  #build(view) {
    this.title = element('h1', { textContent: '…' });
    this.where = element('p', { className: 'summary' });
    this.canvas = element('canvas', { width: 1, height: 1, role: 'img', ariaLabel: 'Slice' });
    this.context = this.canvas.getContext('2d', { alpha: false });
    this.message = element('p', { className: 'message' });
    this.mark = element('p', { className: 'mark', hidden: true });
    this.facts = new Facts();
    this.stage = element('div', { className: 'stage' }, [
      this.canvas, element('div', { className: 'notice' }, [this.message]), this.mark,
      element('p', { className: 'warning', textContent: 'Not for diagnosis' }), this.facts.element,
    ]);
    this.strip = element('canvas', { className: 'residency', height: 1, width: 1, ariaHidden: 'true' });
    this.slider = element('input', {
      type: 'range', min: 1, max: 1, value: 1, ariaLabel: 'Slice',
      oninput: () => this.#moveTo(this.slider.value - 1),
    });
    this.state = element('span', { className: 'numbers', textContent: 'Loading' });
    const tone = (label, name) => {
      const input = element('input', {
        type: 'range', min: 0, max: 300, value: 100, ariaLabel: label, oninput: () => this.#showTones(),
      });
      this[name] = input;
      return element('label', {}, [label, input]);
    };
    const command = (text, name) => commandButton(text, name, this.place, () => this.perform(name));
    this.cine = command('Cine', 'cine');
    view.replaceChildren(
      element('header', {}, [
        command('‹ Back', 'back'), this.title, this.where,
        element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Series' }, [
          this.cine, command('Invert', 'invert'), command('Rotate', 'rotate'), command('Fit', 'fit'),
          command('Grid', 'layout'),
        ]),
      ]),
      this.stage,
      element('footer', { className: 'slices' }, [
        element('div', { className: 'track' }, [this.strip, this.slider]), this.state,
        element('div', { className: 'tones' }, [
          tone('Brightness', 'brightness'), tone('Contrast', 'contrast'),
        ]),
      ]));
    this.zoom = new Zoom(this.stage, this.canvas, {
      onSwipe: (step) => this.#moveTo(this.position + step), onWheel: (step) => this.#moveTo(this.position + step),
    });
    this.zoom.enlarges = true;
    this.stage.addEventListener('pointermove', (event) => this.#drag(event));
  }

  async #open() {
    const tiles = new Tiles(this.record, {}, (from, to) => this.#showLoaded(from, to));
    // The former slices stay until the new ones are known.
    this.tiles ??= tiles;
    const [former, id] = [this.position, this.tiles.at(this.position)?.id];
    const formerTotal = this.tiles.total;
    try {
      const [record] = await Promise.all([call('GET', `/v1/records/${this.record}`), tiles.open()]);
      // New entries at the top move the slices; the same one is shown.
      if (id) this.position += (await tiles.find(id, former, tiles.total - formerTotal) ?? former) - former;
      this.title.textContent = visible(record.title);
      document.title = `${this.title.textContent} – imgdl`;
      this.isLazy = record.isLazy;
    } catch (problem) {
      this.following.fail(problem);
      return;
    }
    if (this.isClosed) return;
    this.tiles = tiles;
    this.problems.clear();
    this.reasons.clear();
    this.slider.max = Math.max(1, this.tiles.total);
    this.strip.width = Math.max(1, this.tiles.total);
    this.tiles.load(0, this.tiles.total).catch(() => {});
    this.#tellPosition();
    this.#moveTo(Math.min(this.position, Math.max(0, this.tiles.total - 1)));
    // Slices of the first block may have been replaced while imgdld was away.
    this.#showLoaded(0, this.tiles.total);
    finishLoading(this.slider);
  }

  #showLoaded(from, to) {
    // A slice whose file was replaced has another version.
    for (let index = from; index < Math.min(to, this.tiles.total); index += 1) {
      const tile = this.tiles.at(index);
      const known = this.blobs.get(index);
      if (tile && known && known.version !== tile.version) this.#forget(index);
    }
    this.#work();
    this.#draw();
    this.#drawStrip();
  }

  // Position

  #moveTo(place) {
    const index = Math.max(0, Math.min(Number(place), this.tiles.total - 1));
    if (index !== this.position) this.heading = index > this.position ? 1 : -1;
    this.position = index;
    this.slider.value = index + 1;
    this.#draw();
    this.#work();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      if (this.facts.isShown) this.#showFacts();
      this.router.replace(`/records/${this.record}/slices/${index + 1}`);
      this.#tellPosition();
    }, restingTime);
  }

  /** The indexes by distance from the position, first in the direction of movement. */
  * #outwards() {
    if (this.tiles.total === 0) return;
    yield this.position;
    for (let distance = 1; distance < this.tiles.total; distance += 1) {
      for (const side of [this.heading, -this.heading]) {
        const index = this.position + side * distance;
        if (index >= 0 && index < this.tiles.total) yield index;
      }
    }
  }

  #tellPosition() {
    if (document.hidden || !this.tiles || this.tiles.total === 0) return;
    // Of a lazy record, only slices near the position are requested.
    const range = this.isLazy
      ? { from: Math.max(0, this.position - 2), to: Math.min(this.tiles.total, this.position + 6) }
      : { from: 0, to: Math.min(this.tiles.total, 10_000) };
    call('PUT', `/v1/viewers/${this.viewerID}/records/${this.record}`, range).catch(() => {});
  }

  #drag(event) {
    if (event.buttons !== 1 || this.zoom.isMovable || event.pointerType !== 'mouse') return;
    this.dragged = (this.dragged ?? 0) + event.movementY;
    const step = Math.trunc(this.dragged / 6);
    if (step === 0) return;
    this.dragged -= step * 6;
    this.#moveTo(this.position + step);
  }

  // Loading and decoding

  /** Loads and decodes the missing slices nearest to the position. */
  #work() {
    if (this.isClosed || !this.tiles) return;
    // All slices are decoded or have failed.
    if (this.bitmaps.size + this.problems.size >= this.tiles.total) return;
    let decodable = 0;
    for (const index of this.#outwards()) {
      const isRoomForBlob = this.storedBytes < storedLimit;
      if (!this.blobs.has(index)) {
        if (this.loading.size < loadLimit && isRoomForBlob) this.#load(index);
      } else if (!this.bitmaps.has(index) && !this.decoding.has(index)
        && this.decoding.size < decodeLimit && decodable + this.sliceBytes <= decodedLimit) {
        this.#decode(index);
      }
      decodable += this.sliceBytes;
      const isBusy = this.loading.size >= loadLimit || !isRoomForBlob;
      if (isBusy && (this.decoding.size >= decodeLimit || decodable > decodedLimit)) break;
    }
    this.#forgetDistant();
  }

  /** The memory of one decoded slice in bytes. */
  get sliceBytes() {
    return 4 * this.canvas.width * this.canvas.height;
  }

  async #load(index) {
    const tile = this.tiles.at(index);
    if (!tile || this.loading.has(index) || this.problems.has(index)) return;
    const isReady = tile.version || tile.state === states.finished;
    if (!isReady) return;
    const controller = new AbortController();
    this.loading.set(index, controller);
    try {
      const version = tile.version ? `?v=${tile.version}` : '';
      const response = await fetch(`/v1/resources/${tile.id}/pages/1/image${version}`, { signal: controller.signal });
      if (!response.ok) throw new Error('The image cannot be loaded.');
      const blob = await response.blob();
      // The slice may have been replaced, or have moved, while it was loaded; it is then loaded again.
      if (this.tiles.at(index)?.version === tile.version) {
        this.blobs.set(index, { blob, version: tile.version });
        this.storedBytes += blob.size;
      }
    } catch (problem) {
      if (problem.name !== 'AbortError' && !(problem instanceof TypeError)) {
        this.problems.set(index, problem.message);
      }
    }
    this.loading.delete(index);
    if (this.isClosed) return;
    if (this.blobs.has(index) && this.decoding.size < decodeLimit) this.#decode(index);
    this.#work();
    this.#drawStrip();
  }

  async #decode(index) {
    const { blob } = this.blobs.get(index);
    this.decoding.add(index);
    try {
      const bitmap = await createImageBitmap(blob);
      if (this.isClosed || this.blobs.get(index)?.blob !== blob) {
        bitmap.close();
      } else {
        const size = 4 * bitmap.width * bitmap.height;
        this.bitmaps.set(index, { bitmap, size });
        this.decodedBytes += size;
      }
    } catch {
      this.problems.set(index, 'The image cannot be shown.');
    }
    this.decoding.delete(index);
    if (this.isClosed) return;
    if (index === this.position || this.shownIndex !== this.position) this.#draw();
    this.#drawStrip();
    this.#work();
  }

  #forget(index) {
    const known = this.bitmaps.get(index);
    if (known) {
      known.bitmap.close();
      this.decodedBytes -= known.size;
      this.bitmaps.delete(index);
    }
    this.storedBytes -= this.blobs.get(index)?.blob.size ?? 0;
    this.blobs.delete(index);
    this.problems.delete(index);
  }

  #forgetDistant() {
    if (this.decodedBytes <= decodedLimit) return;
    const distant = [...this.bitmaps.keys()].sort(
      (one, other) => Math.abs(other - this.position) - Math.abs(one - this.position));
    for (const index of distant) {
      if (this.decodedBytes <= decodedLimit) break;
      const { bitmap, size } = this.bitmaps.get(index);
      if (index === this.shownIndex) continue;
      bitmap.close();
      this.decodedBytes -= size;
      this.bitmaps.delete(index);
    }
  }

  // Drawing

  #draw() {
    const tile = this.tiles?.at(this.position);
    const total = this.tiles?.total ?? 0;
    const text = total > 0 ? `${number(this.position + 1)}/${number(total)}` : '';
    this.where.textContent = [
      this.playing ? `▶ ${frameRates[this.frameRate]} fps` : '',
      this.dropped > 0 ? `${number(this.dropped)} dropped` : '', text,
    ].filter(Boolean).join(' · ');
    this.slider.ariaValueText = `Slice ${text}`;
    const problem = tile?.state === states.failed ? this.#reasonOf(tile) : this.problems.get(this.position);
    let shown = this.position;
    if (!this.bitmaps.has(shown) && !problem) {
      shown = -1;
      for (const index of this.#outwards()) {
        if (this.bitmaps.has(index)) {
          shown = index;
          break;
        }
      }
    }
    const found = problem ? null : this.bitmaps.get(shown);
    this.shownIndex = found ? shown : -1;
    this.canvas.hidden = !found;
    this.message.textContent = problem ? visible(problem) : found ? '' : tile?.text ?? '';
    this.mark.hidden = !found || shown === this.position;
    this.mark.textContent = this.mark.hidden ? ''
      : `Slice ${number(this.position + 1)} is not loaded yet; showing slice ${number(shown + 1)}`;
    if (found) {
      const { bitmap } = found;
      if (this.canvas.width !== bitmap.width || this.canvas.height !== bitmap.height) {
        Object.assign(this.canvas, { width: bitmap.width, height: bitmap.height });
        this.zoom.draw();
      }
      this.context.drawImage(bitmap, 0, 0);
    }
  }

  /** Returns why a slice has failed; until the reason is read, its state. */
  #reasonOf({ id, text }) {
    if (!this.reasons.has(id)) {
      this.reasons.set(id, text || 'Error');
      call('GET', `/v1/resources/${id}`).then(({ reason }) => {
        if (reason) this.reasons.set(id, reason);
        this.#draw();
      }).catch(() => this.reasons.delete(id));
    }
    return this.reasons.get(id);
  }

  /** Shows which slices are loaded, at most once per frame. */
  #drawStrip() {
    this.stripFrame ??= requestAnimationFrame(() => {
      this.stripFrame = null;
      if (!this.tiles) return;
      const context = this.strip.getContext('2d');
      // The style sheet passes colours in these properties.
      const { color: decoded, borderTopColor: stored, outlineColor: failed } = getComputedStyle(this.strip);
      let [here, failures] = [0, 0];
      context.clearRect(0, 0, this.strip.width, 1);
      for (let index = 0; index < this.tiles.total; index += 1) {
        const isFailed = this.tiles.at(index)?.state === states.failed || this.problems.has(index);
        const isStored = this.blobs.has(index);
        if (isStored) here += 1;
        if (isFailed) failures += 1;
        if (!isStored && !isFailed) continue;
        context.fillStyle = isFailed ? failed : this.bitmaps.has(index) ? decoded : stored;
        context.fillRect(index, 0, 1, 1);
      }
      const isComplete = here + failures >= this.tiles.total;
      this.state.textContent = isComplete
        ? failures > 0 ? `${number(failures)} failed` : '' : `Loading ${number(here)}/${number(this.tiles.total)}`;
    });
  }

  #showTones() {
    const filters = [
      this.brightness.value !== '100' ? `brightness(${this.brightness.value}%)` : '',
      this.contrast.value !== '100' ? `contrast(${this.contrast.value}%)` : '',
      this.isInverted ? 'invert(1)' : '',
    ];
    this.canvas.style.filter = filters.join(' ');
  }

  #showFacts() {
    const tile = this.tiles.at(this.position);
    if (tile) this.facts.show(tile.id, this.bitmaps.get(this.position)?.bitmap);
  }

  // Cine

  #play(isPlaying) {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.dropped = 0;
    if (this.cine) this.cine.textContent = isPlaying ? 'Stop' : 'Cine';
    if (!isPlaying || this.tiles.total < 2) return;
    let due = performance.now();
    const step = (now) => {
      this.playing = requestAnimationFrame(step);
      const interval = 1000 / frameRates[this.frameRate];
      // Animation frames may be slightly early.
      if (now < due - 2) return;
      const steps = 1 + Math.floor(Math.max(0, now - due) / interval);
      this.dropped += steps - 1;
      due += steps * interval;
      this.heading = 1;
      this.position = (this.position + steps) % this.tiles.total;
      this.slider.value = this.position + 1;
      this.#draw();
      this.#work();
    };
    this.playing = requestAnimationFrame(step);
  }

  #reread(resources) {
    const changed = resources ?? [...this.tiles.indexes.keys()];
    for (const id of changed) {
      this.problems.delete(this.tiles.indexOf(id));
      this.reasons.delete(id);
    }
    this.tiles.reload(changed).catch(() => {});
  }

  /** Performs a command. Returns whether this screen has it. */
  perform(command) {
    if (this.zoom.perform(command)) return true;
    const page = Math.max(1, Math.round(this.tiles.total / 10));
    const step = (count) => {
      this.#play(false);
      this.#moveTo(this.position + count);
    };
    const changeRate = (change) => {
      this.frameRate = Math.max(0, Math.min(this.frameRate + change, frameRates.length - 1));
      if (this.playing) this.#play(true);
      say(`${frameRates[this.frameRate]} frames per second`);
    };
    const actions = {
      back: () => this.router.open('/'),
      layout: () => this.router.open(`/records/${this.record}`),
      cine: () => { this.#play(!this.playing); this.#draw(); },
      faster: () => changeRate(1),
      slower: () => changeRate(-1),
      info: () => { if (this.facts.toggle()) this.#showFacts(); },
      invert: () => { this.isInverted = !this.isInverted; this.#showTones(); },
      left: () => step(-1),
      right: () => step(1),
      up: () => step(-1),
      down: () => step(1),
      pageUp: () => step(-page),
      pageDown: () => step(page),
      first: () => step(-this.tiles.total),
      last: () => step(this.tiles.total),
    };
    actions[command]?.();
    return command in actions;
  }
}
