// The viewer of a record's images, and of the pages of documents and archives (screen 3).

import { call } from './api.js';
import { saveOriginal } from './commands.js';
import { ViewerControls } from './controls.js';
import { ask } from './dialogs.js';
import { element, say } from './elements.js';
import { Facts } from './facts.js';
import { FilmStrip } from './film.js';
import { nameOf, number, visible } from './text.js';
import { states } from './tiles.js';
import { Zoom } from './zoom.js';

/** The number of pages in one request, the largest that imgdld answers. */
const portion = 1000;
/** The number of resources by which Page Up and Page Down move. */
const leap = 10;
/** Milliseconds without a turn after which the name is read. */
const restingTime = 120;

/** Whether a resource has the same pages: a file that was replaced has another version, a download another state. */
const isSame = (one, other) => one.version === other.version && one.state === other.state;

export class Viewer {
  place = 'viewer';

  /**
   * @param {(index: number) => void} actions.onMove Called when another resource is shown, or it has moved.
   * @param {(id: number) => string | undefined} actions.activityOf Returns the progress of an active resource.
   * @param {(tile: object) => string} actions.thumbnailOf Returns the address of a thumbnail.
   */
  constructor(tiles, { onMove, onClose, activityOf, thumbnailOf }) {
    Object.assign(this, { tiles, onMove, onClose, activityOf });
    this.pages = new Map();
    /** The images that are loaded before they are shown. */
    this.ahead = [];
    this.index = -1;
    this.page = 0;
    this.isRightToLeft = localStorage.getItem('imgdl-direction') === 'rtl';
    this.picture = element('img', { alt: '', draggable: false });
    this.message = element('p', { className: 'message' });
    this.unlock = element('button', {
      type: 'button', textContent: 'Enter password…', hidden: true, onclick: () => this.#askForPassword(),
    });
    this.facts = new Facts();
    this.stage = element('div', { className: 'stage' }, [
      this.picture, element('div', { className: 'notice' }, [this.message, this.unlock]), this.facts.element,
    ]);
    this.controls = new ViewerControls({
      perform: (name) => this.perform(name), save: () => saveOriginal(this.id),
      // The button alternates between fit and full size; the key zooms in steps.
      togglePixels: () => this.zoom.zoomTo(this.zoom.scale === 1 ? 'fit' : 1),
    });
    this.caption = this.controls.caption;
    this.film = new FilmStrip({ thumbnailOf, onChoose: (index) => this.#moveTo(index) });
    this.element = element('div', { className: 'viewer', role: 'dialog', ariaLabel: 'Viewer' }, [
      this.stage, this.controls.bar, ...this.controls.edges, this.film.element,
    ]);
    this.element.tabIndex = -1;
    this.picture.onload = () => {
      this.picture.hidden = false;
      this.message.textContent = '';
      this.zoom.reset();
      // The pages of another resource may be on their way.
      if (!this.pageList) return;
      this.#describe();
      this.#loadAhead();
    };
    this.picture.onerror = () => this.#readAgain();
    this.zoom = new Zoom(this.stage, this.picture, {
      onSwipe: (step) => this.turn(this.isRightToLeft ? -step : step),
      onWheel: (step) => this.turn(step),
    });
    this.zoom.enlarges = true;
    this.controls.showDirection(this.isRightToLeft);
    this.controls.follow(this.element);
    this.covered = document.getElementById('view');
    this.covered.inert = true;
    this.covered.after(this.element);
    this.element.focus();
  }

  close() {
    this.controls.close();
    this.film.close();
    clearTimeout(this.resting);
    this.covered.inert = false;
    this.element.remove();
    this.picture.removeAttribute('src');
    this.#endLoadingAhead();
  }

  /** Shows a resource, from its first or last page. */
  async show(index, fromEnd = false) {
    if (index === this.index && this.pageList) return;
    this.index = index;
    this.id = this.tiles.at(index)?.id;
    this.pageList = null;
    this.page = 0;
    await this.#load(index, fromEnd);
  }

  /** Shows the same resource in another view of the record, in which it may have another index. */
  async renew(tiles) {
    const { id, index } = this;
    let found;
    try {
      if (id) found = await tiles.find(id, index, tiles.total - this.tiles.total);
    } catch {
      // The record is read again when imgdld responds.
      return;
    }
    if (!this.element.isConnected) return;
    // The user has turned meanwhile to another resource, which is looked for instead.
    if (this.index !== index) {
      this.renew(tiles);
      return;
    }
    Object.assign(this, { tiles, index: found ?? Math.max(0, Math.min(index, tiles.total - 1)) });
    this.film.show(tiles, this.index);
    if (this.index !== index) this.onMove(this.index);
    if (found !== undefined && this.pageList) {
      this.refresh(found, found + 1);
    } else {
      this.pageList = null;
      this.show(this.index);
    }
  }

  /** Shows what has changed of the resource if its tile is in a range that was read. */
  async refresh(from, to) {
    const { index, id } = this;
    this.film.refresh(this.tiles, index, from, to);
    if (index < from || index >= to || !this.pageList) return;
    await this.tiles.load(index, index + 1).catch(() => {});
    if (index !== this.index || id !== this.id) return;
    // imgdld had discarded the view, and the new one has other indexes.
    if (index >= this.tiles.total || (this.tiles.at(index)?.id ?? id) !== id) {
      this.renew(this.tiles);
      return;
    }
    if (!this.tiles.at(index)) return;
    const pages = await this.#pagesOf(index);
    if (index !== this.index || id !== this.id || !this.pageList || (pages.problem && this.picture.src)) return;
    if (this.#areBeingMade(pages)) return;
    const shown = this.pageList[this.page]?.image;
    this.pageList = pages;
    this.page = Math.max(0, Math.min(this.page, pages.length - 1));
    // The same image keeps its zoom.
    if (this.picture.src && pages[this.page]?.image === shown) this.#describe();
    else this.#showPage();
  }

  /**
   * Whether a resource that had pages has none for now, as an archive that was downloaded: its pages are still made, and
   * the place in those that its server offered is kept meanwhile.
   */
  #areBeingMade(pages) {
    const isUnfinished = this.tiles.at(this.index)?.state < states.finished;
    return isUnfinished && pages.length === 0 && this.pageList.length > 0;
  }

  /** Shows how far the download of a missing image is. */
  showProgress() {
    const text = this.activityOf(this.id);
    if (text && !this.picture.src) this.message.textContent = text;
  }

  async #load(index, fromEnd) {
    await this.tiles.load(index, index + 1).catch(() => {});
    const pages = await this.#pagesOf(index);
    if (index !== this.index) return;
    this.id = this.tiles.at(index)?.id;
    this.pageList = pages;
    this.page = fromEnd ? Math.max(0, pages.length - 1) : 0;
    this.#showPage();
  }

  async #pagesOf(index) {
    const tile = this.tiles.at(index);
    if (!tile) return [];
    const known = this.pages.get(tile.id);
    if (known && isSame(known.tile, tile)) return known;
    const pages = Object.assign([], { tile });
    try {
      let after = '';
      do {
        const part = await call('GET', `/v1/resources/${tile.id}/pages?limit=${portion}${after}`);
        pages.push(...part.items);
        after = part.next ? `&after=${part.next}` : null;
      } while (after);
      if (pages.length > 0) this.pages.set(tile.id, pages);
    } catch ({ message }) {
      // The pages read so far are shown; the next change of the tile reads all again.
      pages.problem = message;
    }
    // The tile may have changed while its pages were read.
    const now = this.tiles.at(index);
    return now?.id !== tile.id || isSame(now, tile) ? pages : this.#pagesOf(index);
  }

  /** Reads the pages of a resource again: those of an archive have other images once it is downloaded. */
  async #readAgain() {
    const { index, page, pageList } = this;
    this.pages.delete(this.tiles.at(index)?.id);
    const pages = await this.#pagesOf(index);
    if (index !== this.index || page !== this.page || this.#areBeingMade(pages)) return;
    this.pageList = pages;
    if (pages[page]?.image !== pageList[page]?.image) {
      this.#showPage();
    } else if (pages[page]?.thumbnail && !this.isPreview) {
      // The image is damaged, or its rendition could not be made.
      this.isPreview = true;
      this.picture.src = pages[page].thumbnail;
      this.#describe();
    } else {
      this.#showMessage('The image cannot be shown.');
    }
  }

  /** Loads the next page, and the images beside this one, once the visible image needs the connections no longer. */
  async #loadAhead() {
    const { index, page } = this;
    const next = this.pageList[page + 1]?.image;
    if (next) this.#decode(next);
    for (const neighbour of [index + 1, index - 1]) {
      if (neighbour < 0 || neighbour >= this.tiles.total) continue;
      await this.tiles.load(neighbour, neighbour + 1).catch(() => {});
      const image = (await this.#pagesOf(neighbour))[0]?.image;
      if (this.index !== index || this.page !== page || !this.element.isConnected) return;
      if (image) this.#decode(image);
    }
  }

  /** Loads and decodes an image before it is shown. */
  #decode(address) {
    const image = new Image();
    image.src = address;
    image.decode().catch(() => {});
    this.ahead.push(image);
  }

  /** Gives up the images ahead that are not loaded. The visible one may be among them, and keeps its request. */
  #endLoadingAhead() {
    for (const image of this.ahead) if (!image.complete) image.src = '';
    this.ahead = [];
  }

  #showPage() {
    const tile = this.tiles.at(this.index);
    const page = this.pageList[this.page];
    this.picture.hidden = true;
    this.unlock.hidden = true;
    this.isPreview = false;
    if (page?.image) {
      this.message.textContent = 'Loading…';
      this.message.classList.add('waiting');
      this.picture.src = page.image;
      this.#endLoadingAhead();
    } else {
      this.#endLoadingAhead();
      const activity = this.activityOf(this.id);
      this.#showMessage(this.tiles.total === 0 ? 'There is nothing here.'
        : activity ?? page?.reason ?? this.pageList.problem ?? tile?.text ?? '');
      if (!activity) this.#showReason(tile);
      this.#loadAhead();
    }
    this.#describe();
  }

  /** Shows which page of which resource is visible. */
  #describe() {
    if (this.facts.isShown) this.#showFacts();
    const page = this.pageList[this.page];
    const count = this.pageList.length;
    const text = this.tiles.total === 0 ? '' : [
      `${number(this.index + 1)}/${number(this.tiles.total)}`,
      count > 1 ? `page ${number(this.page + 1)} of ${number(count)}` : '',
      page?.label ? visible(page.label) : '',
      this.#sizeOf(page),
      this.isPreview ? 'preview, because the whole image cannot be shown' : '',
    ].filter(Boolean).join(' · ');
    if (text === this.caption.textContent) return;
    this.caption.textContent = text;
    say(text);
    this.film.show(this.tiles, this.index);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.#showName(), restingTime);
  }

  async #showName() {
    const { id } = this;
    const resource = id === undefined ? null : await call('GET', `/v1/resources/${id}`).catch(() => null);
    if (id === this.id) this.controls.name.textContent = resource ? visible(nameOf(resource)) : '';
  }

  /** The size of a page in pixels, which imgdld does not know before it has rendered or fetched the page. */
  #sizeOf(page) {
    if (page?.width) return `${page.width} × ${page.height}`;
    const { hidden, isConnected, naturalWidth, naturalHeight } = this.picture;
    return page && isConnected && !hidden && !this.isPreview ? `${naturalWidth} × ${naturalHeight}` : '';
  }

  /** Shows a text in place of a missing image. */
  #showMessage(text) {
    this.picture.removeAttribute('src');
    this.picture.hidden = true;
    this.message.classList.remove('waiting');
    this.message.textContent = visible(text);
  }

  /** Shows why a resource has no image. */
  async #showReason(tile) {
    if (!tile) return;
    const resource = await call('GET', `/v1/resources/${tile.id}`).catch(() => null);
    if (this.tiles.at(this.index)?.id !== tile.id || !resource?.reason || this.picture.src) return;
    const [reason, hint] = resource.reason.split('; --password-file');
    this.#showMessage(reason);
    this.unlock.hidden = hint === undefined;
  }

  /** Turns to the next or previous page, also of the next or previous resource. */
  turn(step) {
    const page = this.page + step;
    if (this.pageList && page >= 0 && page < this.pageList.length) {
      this.page = page;
      this.#showPage();
    } else {
      this.#moveBy(step, step < 0);
    }
  }

  #moveBy(step, fromEnd = false) {
    this.#moveTo(this.index + step, fromEnd);
  }

  #moveTo(place, fromEnd = false) {
    const index = Math.max(0, Math.min(place, this.tiles.total - 1));
    if (index === this.index) return;
    this.onMove(index);
    this.show(index, fromEnd);
  }

  #turnDirection() {
    this.isRightToLeft = !this.isRightToLeft;
    localStorage.setItem('imgdl-direction', this.isRightToLeft ? 'rtl' : 'ltr');
    this.controls.showDirection(this.isRightToLeft);
  }

  #showFacts() {
    const tile = this.tiles.at(this.index);
    if (tile) this.facts.show(tile.id, this.pageList?.[this.page]);
  }

  #askForPassword() {
    const tile = this.tiles.at(this.index);
    const password = element('input', { type: 'password', ariaLabel: 'Password', autocomplete: 'off' });
    ask({
      title: 'The file is encrypted', action: 'Unlock', content: [password],
      accept: async () => {
        await call('POST', `/v1/resources/${tile.id}/unlock`, { password: password.value });
        this.pages.delete(tile.id);
        await this.tiles.reload([tile.id]);
        this.#load(this.index, false);
      },
    });
  }

  /** Performs a command. Returns whether the viewer has it. */
  perform(command) {
    if (this.zoom.perform(command)) return true;
    const forwards = this.isRightToLeft ? -1 : 1;
    const actions = {
      next: () => this.turn(1),
      previous: () => this.turn(-1),
      right: () => this.turn(forwards),
      left: () => this.turn(-forwards),
      down: () => this.turn(1),
      up: () => this.turn(-1),
      nextResource: () => this.#moveBy(1),
      previousResource: () => this.#moveBy(-1),
      pageDown: () => this.#moveBy(leap),
      pageUp: () => this.#moveBy(-leap),
      first: () => this.#moveTo(0),
      last: () => this.#moveTo(this.tiles.total - 1),
      direction: () => this.#turnDirection(),
      info: () => { if (this.facts.toggle()) this.#showFacts(); },
      open: () => { if (!this.unlock.hidden) this.#askForPassword(); },
      back: () => this.onClose(),
    };
    actions[command]?.();
    return command in actions;
  }
}
