// The header of the records, and the bar at the bottom of a narrow window that has the same commands.

import { button, commandButton, element, relabel } from './elements.js';
import { icon } from './icons.js';
import { isPossible } from './commands.js';

export class RecordsHeader {
  /**
   * @param {(command: string) => void} perform Performs a command.
   * @param {Element} pace The rate, which only a narrow window shows here.
   */
  constructor(perform, pace) {
    this.summary = element('p', { className: 'summary' });
    this.filter = element('input', { type: 'search', placeholder: 'Search titles', ariaLabel: 'Filter titles' });
    const create = (isBottom) => {
      const command = (text, name, options) => commandButton(text, name, 'records', () => perform(name), options);
      const add = command('Add', 'add', { icon: 'add', className: isBottom ? 'tab primary' : 'primary' });
      // A dialog has a button with the same text.
      add.ariaLabel = 'Add…';
      return {
        pauseAll: command('Pause all', 'pauseAll', { icon: 'pause', className: isBottom ? 'tab' : '' }), add,
        settings: button('Settings', {
          icon: 'settings', isBare: !isBottom, className: isBottom ? 'tab' : '', press: () => perform('settings'),
        }),
      };
    };
    this.sets = [create(false), create(true)];
    const [tools, tabs] = this.sets;
    this.element = element('header', {}, [
      element('span', { className: 'brand', ariaHidden: 'true' }, [icon('down')]),
      element('h1', { textContent: 'imgdl' }), this.summary, pace,
      element('label', { className: 'search' }, [icon('search'), this.filter, element('kbd', { textContent: '/' })]),
      element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Library' }, Object.values(tools)),
    ]);
    this.bottom = element('nav', { className: 'bottom', ariaLabel: 'Library' }, Object.values(tabs));
  }

  /** Shows which commands are possible. */
  show(records, isPaused) {
    const canPause = isPossible('pauseAll', records, undefined, isPaused);
    for (const { pauseAll } of this.sets) {
      relabel(pauseAll, isPaused ? 'Resume all' : 'Pause all', isPaused ? 'play' : 'pause');
      pauseAll.disabled = !canPause;
    }
  }
}
