// The progress of all records together.

import { element } from './elements.js';
import { RateGraph } from './graph.js';
import { bytes, duration, number, rate } from './text.js';

export class Totals {
  constructor() {
    this.graph = new RateGraph();
    this.numbers = element('span', { className: 'numbers' });
    this.element = element('div', { className: 'total' }, [this.graph.element, this.numbers]);
    /** The rate and the remaining time alone, for the header of a narrow window. */
    this.pace = element('span', { className: 'pace' });
  }

  show(records, progress) {
    let [total, finished, failed, size] = [0, 0, 0, 0];
    for (const { counts } of records) {
      total += counts.total;
      finished += counts.finished;
      failed += counts.failed;
      size += counts.bytes;
    }
    const isActive = progress.active.length > 0;
    const speed = isActive ? rate(progress.bytesPerSecond) : '';
    this.graph.add(isActive ? progress.bytesPerSecond : 0);
    const left = speed && progress.secondsLeft !== undefined ? duration(progress.secondsLeft) : '';
    const join = (texts) => texts.filter(Boolean).join(' · ');
    this.pace.textContent = join([speed, left]);
    this.numbers.textContent = join([
      total > 0 ? `${number(finished)}/${number(total)}` : '', failed > 0 ? `${number(failed)} failed` : '',
      speed || (size > 0 ? bytes(size) : ''), left,
    ]);
  }
}
