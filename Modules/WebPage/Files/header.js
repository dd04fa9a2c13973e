// The header of a record's resources: its title, its facts, and its commands, which a narrow window has at its bottom.

import { button, commandButton, element, relabel } from './elements.js';
import { bytes, number, rate, visible } from './text.js';

export class RecordHeader {
  /**
   * @param {(command: string) => void} actions.perform Performs a command of the key table.
   * @param {(place: Element) => void} actions.openMenu Shows the menu of the record.
   * @param {(address: string) => void} actions.open Shows the screen of an address.
   */
  constructor({ perform, openMenu, openSlices, open }) {
    this.title = element('h1', { textContent: '…' });
    this.summary = element('p', { className: 'summary' });
    const create = (isBottom) => {
      const className = isBottom ? 'tab' : '';
      const command = (text, name, options) => commandButton(
        text, name, 'resources', () => perform(name), { className, ...options });
      return {
        retry: command('Retry failed', 'retry', { icon: 'retry', className: isBottom ? 'tab' : 'primary' }),
        pause: command('Pause', 'pause', { icon: 'pause' }),
        layout: command('List', 'layout', { icon: 'list', isBare: !isBottom }),
        details: command('Details', 'details', { icon: 'table', isBare: !isBottom }),
        more: button('More', {
          icon: 'more', isBare: !isBottom, className, press: ({ currentTarget }) => openMenu(currentTarget),
        }),
      };
    };
    this.sets = [create(false), create(true)];
    const [tools, tabs] = this.sets;
    tools.retry.hidden = true;
    this.slices = button('Slices', { icon: 'slices', press: openSlices });
    this.slices.hidden = true;
    this.elements = [
      commandButton('Records', 'back', 'resources', () => open('/'), { icon: 'back', isBare: true }),
      this.title, this.summary,
      element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Record' }, [
        this.slices, ...Object.values(tools),
      ]),
    ];
    this.bottom = element('nav', { className: 'bottom', ariaLabel: 'Record' }, Object.values(tabs));
  }

  show({ title, counts, isPaused, isSeries }) {
    this.slices.hidden = !isSeries;
    this.title.textContent = visible(title);
    document.title = `${this.title.textContent} – imgdl`;
    this.canRetry = counts.failed > 0;
    this.canPause = isPaused || counts.total > counts.finished + counts.failed;
    for (const { retry, pause } of this.sets) {
      retry.disabled = !this.canRetry;
      pause.disabled = !this.canPause;
      relabel(pause, isPaused ? 'Resume' : 'Pause', isPaused ? 'play' : 'pause');
    }
    // A header shows what can be done, a bar at the bottom keeps its places.
    this.sets[0].retry.hidden = !this.canRetry;
    this.sets[0].pause.hidden = !this.canPause;
  }

  /** Whether a command is possible. */
  isPossible(command) {
    if (command === 'retry') return this.canRetry;
    return command !== 'pause' || this.canPause;
  }

  showLayout(isList) {
    for (const { layout } of this.sets) relabel(layout, isList ? 'Grid' : 'List', isList ? 'grid' : 'list');
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
