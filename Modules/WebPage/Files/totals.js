// The progress of all records together.

import { element } from './elements.js';
import { bytes, duration, number, rate } from './text.js';

export class Totals {
  constructor() {
    this.element = element('div', { className: 'total' }, [
      element('span', { className: 'label', textContent: 'Total' }),
      element('progress', { max: 1, value: 0, ariaLabel: 'Total progress' }),
      element('span', { className: 'numbers' }),
    ]);
  }

  show(records, progress) {
    let [total, finished, failed, size] = [0, 0, 0, 0];
    for (const { counts } of records) {
      total += counts.total;
      finished += counts.finished;
      failed += counts.failed;
      size += counts.bytes;
    }
    const [, bar, numbers] = this.element.children;
    bar.value = total === 0 ? 0 : (finished + failed) / total;
    bar.dataset.state = failed > 0 ? 'failed' : '';
    const speed = progress.active.length > 0 ? rate(progress.bytesPerSecond) : '';
    numbers.textContent = [
      `${number(finished)}/${number(total)}`, failed > 0 ? `${number(failed)} failed` : '',
      speed || (size > 0 ? bytes(size) : ''),
      speed && progress.secondsLeft !== undefined ? duration(progress.secondsLeft) : '',
    ].filter(Boolean).join(' · ');
  }
}
