// The images of a record one by one, with the pages of documents and archives in place: screen 3.

import { call } from './api.js';
import { button, element, say } from './elements.js';
import { number, visible } from './text.js';

/** The distance in pixels from which a movement of the finger turns the page. */
const swipe = 60;

export class Viewer {
  /**
   * @param {Tiles} tiles
   * @param {object} actions
   * @param {(index: number) => void} actions.onMove Called when another resource is shown.
   * @param {() => void} actions.onClose
   */
  constructor(tiles, { onMove, onClose }) {
    Object.assign(this, { tiles, onMove, onClose });
    this.pages = new Map();
    this.index = -1;
    this.page = 0;
    this.rotation = 0;
    this.picture = element('img', { alt: '', draggable: false });
    this.message = element('p', { className: 'message' });
    this.caption = element('p', { className: 'caption' });
    this.stage = element('div', { className: 'stage' }, [this.picture, this.message]);
    this.element = element('div', { className: 'viewer', role: 'dialog', ariaLabel: 'Viewer' }, [
      this.stage,
      element('div', { className: 'bar' }, [
        button('‹ Back', 'Escape', () => this.onClose()), this.caption,
        button('Previous', 'ArrowLeft', () => this.turn(-1)),
        button('Next', 'ArrowRight', () => this.turn(1)),
        button('Zoom', 'z', () => this.#zoom()),
        button('Rotate', 'o', () => this.#rotate()),
      ]),
    ]);
    this.element.tabIndex = -1;
    this.picture.onload = () => { this.picture.hidden = false; };
    this.picture.onerror = () => this.#showMessage('The image cannot be shown.');
    this.stage.ondblclick = () => this.#zoom();
    this.#followFinger();
    document.body.append(this.element);
    this.element.focus();
  }

  close() {
    this.element.remove();
  }

  /** Shows a resource, from its first page, or from its last one. */
  async show(index, fromEnd = false) {
    if (index === this.index && this.pageList) return;
    this.index = index;
    this.pageList = null;
    this.page = 0;
    await this.#load(index, fromEnd);
  }

  /** Shows the resource again if its tile was read again, and it had no image. */
  refresh(from, to) {
    if (this.index < from || this.index >= to || this.picture.src) return;
    this.pages.delete(this.tiles.at(this.index)?.id);
    this.#load(this.index, false);
  }

  async #load(index, fromEnd) {
    await this.tiles.load(index, index + 1).catch(() => {});
    const pages = await this.#pagesOf(index);
    if (index !== this.index) return;
    this.pageList = pages;
    this.page = fromEnd ? Math.max(0, pages.length - 1) : 0;
    this.#showPage();
    for (const neighbour of [index + 1, index - 1]) this.#prefetch(neighbour);
  }

  async #pagesOf(index) {
    const tile = this.tiles.at(index);
    if (!tile) return [];
    const known = this.pages.get(tile.id);
    if (known) return known;
    try {
      const { items } = await call('GET', `/v1/resources/${tile.id}/pages?limit=1000`);
      if (items.length > 0) this.pages.set(tile.id, items);
      return items;
    } catch {
      return [];
    }
  }

  async #prefetch(index) {
    if (index < 0 || index >= this.tiles.total) return;
    await this.tiles.load(index, index + 1).catch(() => {});
    const image = (await this.#pagesOf(index))[0]?.image;
    if (image) new Image().src = image;
  }

  #showPage() {
    const tile = this.tiles.at(this.index);
    const page = this.pageList[this.page];
    this.picture.hidden = true;
    this.rotation = 0;
    this.picture.style.rotate = '';
    if (page?.image) {
      this.message.textContent = '';
      this.picture.src = page.image;
    } else {
      this.#showMessage(page?.reason ?? tile?.text ?? '');
    }
    const count = this.pageList.length;
    this.caption.textContent = [
      `${number(this.index + 1)}/${number(this.tiles.total)}`,
      count > 1 ? `page ${number(this.page + 1)} of ${number(count)}` : '',
      page?.label ? visible(page.label) : '',
      page?.width ? `${page.width} × ${page.height}` : '',
    ].filter(Boolean).join(' · ');
    say(this.caption.textContent);
  }

  /** Shows a text in place of the image, which is missing. */
  #showMessage(text) {
    this.picture.removeAttribute('src');
    this.picture.hidden = true;
    this.message.textContent = visible(text);
  }

  /** Turns to the next or previous page, also of the next or previous resource. */
  turn(step) {
    const page = this.page + step;
    if (this.pageList && page >= 0 && page < this.pageList.length) {
      this.page = page;
      this.#showPage();
      return;
    }
    const index = this.index + step;
    if (index < 0 || index >= this.tiles.total) return;
    this.onMove(index);
    this.show(index, step < 0);
  }

  #zoom() {
    this.stage.classList.toggle('pixels');
  }

  #rotate() {
    this.rotation = (this.rotation + 90) % 360;
    this.picture.style.rotate = `${this.rotation}deg`;
  }

  #followFinger() {
    let start = null;
    this.stage.onpointerdown = (event) => {
      if (event.pointerType !== 'mouse' && event.isPrimary) start = { x: event.clientX, y: event.clientY };
    };
    this.stage.onpointerup = (event) => {
      if (!start || this.stage.classList.contains('pixels')) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      start = null;
      if (Math.abs(x) > swipe && Math.abs(x) > 2 * Math.abs(y)) this.turn(x < 0 ? 1 : -1);
    };
    this.stage.onpointercancel = () => { start = null; };
  }

  /** Handles a key that no element has handled. */
  press(key) {
    const last = this.tiles.total - 1;
    const actions = {
      ArrowRight: () => this.turn(1),
      ArrowLeft: () => this.turn(-1),
      ' ': () => this.turn(1),
      Home: () => { this.onMove(0); this.show(0); },
      End: () => { this.onMove(last); this.show(last); },
      z: () => this.#zoom(),
      o: () => this.#rotate(),
      Escape: () => this.onClose(),
      Backspace: () => this.onClose(),
    };
    if (!(key in actions)) return false;
    actions[key]();
    return true;
  }
}
