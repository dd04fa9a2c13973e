// The slider for the number of simultaneous downloads.

import { call } from './api.js';
import { element, say, showProblem } from './elements.js';
import { counted } from './text.js';

/** The numbers of simultaneous downloads on the slider. */
const stops = [
  ...Array.from({ length: 16 }, (_, index) => index + 1),
  20, 24, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
];

/** Milliseconds after the last response in which the events of earlier requests may arrive. They move no slider. */
const settlingTime = 500;

export class ConcurrencySlider {
  constructor() {
    this.slider = element('input', {
      type: 'range', min: 0, max: stops.length - 1, title: 'The number of simultaneous downloads',
      oninput: () => this.#set(stops[this.slider.value]),
    });
    this.limit = element('output');
    this.element = element('label', { className: 'slider' }, ['At once', this.slider, this.limit]);
  }

  /** Shows the limit that imgdld has, unless the user is choosing another one. */
  show(limit) {
    this.known = limit;
    if (this.chosen !== undefined) return;
    this.#showLimit(limit);
    const nearest = stops.findLastIndex((stop) => stop <= limit);
    this.slider.value = Math.max(0, nearest);
  }

  #showLimit(limit) {
    this.limit.value = limit;
    this.slider.ariaValueText = counted(limit, 'download');
  }

  /** Sets the limit while the slider is dragged: one request at a time, the last with the latest value. */
  async #set(limit) {
    this.#showLimit(limit);
    clearTimeout(this.settling);
    this.chosen = limit;
    if (this.isSending) return;
    this.isSending = true;
    let sent;
    do {
      sent = this.chosen;
      await call('PUT', '/v1/settings/concurrency', { limit: sent }).then(() => { this.known = sent; }, showProblem);
    } while (this.chosen !== sent);
    this.isSending = false;
    this.settling = setTimeout(() => {
      this.chosen = undefined;
      this.show(this.known);
    }, settlingTime);
    say(`${counted(sent, 'download')} at once`);
  }
}
