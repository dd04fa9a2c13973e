// The film strip of the viewer: the images before and after the visible one.

import { element } from './elements.js';

/** Pixels from one image of the strip to the next. */
const pitch = 62;
/** Milliseconds without a turn after which the strip follows: turning comes first. */
const restingTime = 120;

export class FilmStrip {
  /**
   * @param {(tile: object) => string} actions.thumbnailOf Returns the address of a thumbnail.
   * @param {(index: number) => void} actions.onChoose Called when the user clicks on an image.
   */
  constructor({ thumbnailOf, onChoose }) {
    Object.assign(this, { thumbnailOf, onChoose });
    // The keys do the same.
    this.element = element('div', { className: 'film control', ariaHidden: 'true', hidden: true });
    this.frames = new Map();
  }

  close() {
    clearTimeout(this.resting);
    this.request = null;
  }

  /** Shows the images around an index. */
  show(tiles, index) {
    clearTimeout(this.resting);
    const request = { tiles, index };
    if (index !== this.request?.index) this.element.querySelector('[data-current]')?.removeAttribute('data-current');
    this.request = request;
    this.resting = setTimeout(() => this.#show(request), restingTime);
  }

  /** Shows the images around an index again if a range that was read contains some of them. */
  refresh(tiles, index, from, to) {
    if (this.request && from < this.to && to > this.from) this.show(tiles, index);
  }

  async #show(request) {
    const { tiles, index } = request;
    const room = Math.max(1, Math.floor((Math.min(innerWidth - 32, 1000) / pitch - 1) / 2));
    const [from, to] = [Math.max(0, index - room), Math.min(tiles.total, index + room + 1)];
    Object.assign(this, { from, to });
    this.element.hidden = tiles.total < 2;
    await tiles.load(from, to).catch(() => {});
    // A later turn, whose tiles may have arrived first, has other images.
    if (this.request !== request) return;
    const frames = new Map();
    for (let place = from; place < to; place += 1) {
      const tile = tiles.at(place);
      const key = `${tile?.id}.${tile?.version}.${place}`;
      const frame = this.frames.get(key) ?? this.#create(tile, place);
      frame.toggleAttribute('data-current', place === index);
      frames.set(key, frame);
    }
    this.frames = frames;
    this.element.replaceChildren(...frames.values());
  }

  #create(tile, place) {
    const frame = element('button', {
      type: 'button', className: 'frame', tabIndex: -1, onclick: () => this.onChoose(place),
    });
    if (tile?.color) frame.style.backgroundColor = tile.color;
    if (tile?.version) {
      frame.append(element('img', { alt: '', decoding: 'async', draggable: false, src: this.thumbnailOf(tile) }));
    }
    return frame;
  }
}
