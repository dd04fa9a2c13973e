// The slices of a series: one at a time, with a slider over all of them.

import { call } from './api.js';
import { Cine } from './cine.js';
import { commandButton, element, finishLoading, relabel, say } from './elements.js';
import { Facts } from './facts.js';
import { followRecord } from './follow.js';
import { SliceStore } from './slice-store.js';
import { states, Tiles } from './tiles.js';
import { number, visible } from './text.js';
import { Zoom } from './zoom.js';

/** Milliseconds after the last step until imgdld is told the position. */
const restingTime = 150;
const renewalTime = 20_000;

export class SlicesScreen {
  place = 'slices';

  constructor(view, record, router) {
    this.record = record;
    this.router = router;
    this.store = new SliceStore((index) => this.#showChange(index));
    this.cine = new Cine((count) => this.#playSteps(count));
    /** Why resources have failed. */
    this.reasons = new Map();
    this.isInverted = false;
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
    this.cine.stop();
    clearInterval(this.renewing);
    clearTimeout(this.resting);
    this.store.close();
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
    const command = (text, name, icon, isBare) => commandButton(
      text, name, this.place, () => this.perform(name), { icon, isBare });
    this.cineButton = command('Cine', 'cine', 'play');
    view.replaceChildren(
      element('header', {}, [
        command('Back', 'back', 'back', true), this.title, this.where,
        element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Series' }, [
          this.cineButton, command('Invert', 'invert', 'invert'), command('Rotate', 'rotate', 'rotate'),
          command('Fit', 'fit', 'fit'), command('Grid', 'layout', 'grid'),
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
    this.store.forgetProblems();
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
    this.store.forgetReplaced(from, to);
    this.store.work();
    this.#draw();
    this.#drawStrip();
  }

  get tiles() { return this.store.tiles; }

  set tiles(tiles) { this.store.tiles = tiles; }

  get position() { return this.store.position; }

  set position(index) { this.store.position = index; }

  /** Shows that a slice was decoded, or that a file was stored. */
  #showChange(index) {
    const isMissing = this.store.shownIndex !== this.position;
    if (index === this.position || (index !== undefined && isMissing)) this.#draw();
    this.#drawStrip();
  }

  #moveTo(place) {
    const index = Math.max(0, Math.min(Number(place), this.tiles.total - 1));
    if (index !== this.position) this.store.heading = index > this.position ? 1 : -1;
    this.position = index;
    this.slider.value = index + 1;
    this.#draw();
    this.store.work();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      if (this.facts.isShown) this.#showFacts();
      this.router.replace(`/records/${this.record}/slices/${index + 1}`);
      this.#tellPosition();
    }, restingTime);
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

  #draw() {
    const tile = this.tiles?.at(this.position);
    const total = this.tiles?.total ?? 0;
    const text = total > 0 ? `${number(this.position + 1)}/${number(total)}` : '';
    this.where.textContent = [
      this.cine.isPlaying ? `▶ ${this.cine.frameRate} fps` : '',
      this.cine.dropped > 0 ? `${number(this.cine.dropped)} dropped` : '', text,
    ].filter(Boolean).join(' · ');
    this.slider.ariaValueText = `Slice ${text}`;
    const problem = tile?.state === states.failed ? this.#reasonOf(tile) : this.store.problemAt(this.position);
    const shown = problem ? -1 : this.store.nearest();
    const bitmap = this.store.bitmapAt(shown);
    this.store.shownIndex = shown;
    this.canvas.hidden = !bitmap;
    this.message.textContent = problem ? visible(problem) : bitmap ? '' : tile?.text ?? '';
    this.mark.hidden = !bitmap || shown === this.position;
    this.mark.textContent = this.mark.hidden ? ''
      : `Slice ${number(this.position + 1)} is not loaded yet; showing slice ${number(shown + 1)}`;
    if (bitmap) {
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
        const isFailed = this.tiles.at(index)?.state === states.failed || this.store.problemAt(index) !== undefined;
        const isStored = this.store.isStored(index);
        if (isStored) here += 1;
        if (isFailed) failures += 1;
        if (!isStored && !isFailed) continue;
        context.fillStyle = isFailed ? failed : this.store.bitmapAt(index) ? decoded : stored;
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
    if (tile) this.facts.show(tile.id, this.store.bitmapAt(this.position));
  }

  #play(isPlaying) {
    if (isPlaying && this.tiles.total > 1) this.cine.start();
    else this.cine.stop();
    relabel(this.cineButton, this.cine.isPlaying ? 'Stop' : 'Cine', this.cine.isPlaying ? 'pause' : 'play');
  }

  #playSteps(count) {
    this.store.heading = 1;
    this.position = (this.position + count) % this.tiles.total;
    this.slider.value = this.position + 1;
    this.#draw();
    this.store.work();
  }

  #reread(resources) {
    const changed = resources ?? [...this.tiles.indexes.keys()];
    for (const id of changed) {
      this.store.forgetProblem(this.tiles.indexOf(id));
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
      this.cine.changeRate(change);
      say(`${this.cine.frameRate} frames per second`);
    };
    const actions = {
      back: () => this.router.open('/'),
      layout: () => this.router.open(`/records/${this.record}`),
      cine: () => { this.#play(!this.cine.isPlaying); this.#draw(); },
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
