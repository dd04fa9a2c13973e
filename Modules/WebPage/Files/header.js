// The header of a record's resources: its title, its state, and the buttons of commands.

import { button, commandButton, element } from './elements.js';
import { bytes, number, rate, visible } from './text.js';

export class RecordHeader {
  /**
   * @param {(command: string) => void} actions.perform Performs a command of the key table.
   * @param {() => void} actions.markAll
   * @param {(address: string) => void} actions.open Shows the screen of an address.
   */
  constructor(record, { perform, markAll, open }) {
    this.title = element('h1', { textContent: '…' });
    this.summary = element('p', { className: 'summary' });
    const command = (text, name) => commandButton(text, name, 'resources', () => perform(name));
    this.buttons = {
      pause: command('Pause', 'pause'), refresh: command('Refresh', 'refresh'),
      reload: command('Reload', 'reload'), retry: command('Retry', 'retry'),
      details: command('Details', 'details'), layout: command('List', 'layout'),
      mark: button('Mark all', { key: 'Control+A', press: markAll }),
      help: button('Help', { key: '?', press: () => dispatchEvent(new Event('imgdl-help')) }),
      slices: button('Slices', { press: () => open(`/records/${record}/slices`) }),
    };
    this.buttons.slices.hidden = true;
    this.elements = [
      commandButton('‹ Records', 'back', 'resources', () => open('/')), this.title, this.summary,
      element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Record' }, Object.values(this.buttons)),
    ];
  }

  show({ title, counts, isPaused, isSeries }) {
    this.title.textContent = visible(title);
    document.title = `${this.title.textContent} – imgdl`;
    const { retry, pause, slices } = this.buttons;
    retry.disabled = counts.failed === 0;
    pause.textContent = isPaused ? 'Resume' : 'Pause';
    pause.disabled = !isPaused && counts.total === counts.finished + counts.failed;
    slices.hidden = !isSeries;
  }

  /** Shows the state and the size of a record, and its rate in bytes per second. */
  showSummary({ counts, status }, bytesPerSecond) {
    this.summary.textContent = [
      status, `${number(counts.finished)}/${number(counts.total)}`,
      counts.failed > 0 && !status.includes('failed') ? `${number(counts.failed)} failed` : '',
      counts.bytes > 0 ? bytes(counts.bytes) : '', rate(bytesPerSecond),
    ].filter(Boolean).join(' · ');
  }
}
