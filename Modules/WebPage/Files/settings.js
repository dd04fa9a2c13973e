// The settings of the page, and the rare commands of the library.

import { ConcurrencySlider } from './concurrency.js';
import { show } from './dialogs.js';
import { button, element } from './elements.js';
import { followLibrary } from './follow.js';
import { chosenTheme, chooseTheme, themes } from './theme.js';

/**
 * Shows the settings.
 * @param {number} actions.limit The number of simultaneous downloads.
 * @param {(command: string) => void} actions.perform Performs a command of the key table.
 */
export function showSettings({ limit, perform, canReset, openHosts }) {
  const slider = new ConcurrencySlider();
  slider.show(limit);
  // Other programs and tabs may change the limit meanwhile.
  const stopListening = followLibrary({
    renew: () => {}, status: ({ concurrency }) => slider.show(concurrency),
    event: (event) => { if (event.kind === 'concurrencyChanged') slider.show(event.limit); },
  });
  const group = (title, children) => element('section', { className: 'group', ariaLabel: title }, [
    element('h3', { textContent: title }), ...children,
  ]);
  // The dialog is closed before another one is opened.
  const closing = (action) => (event) => {
    event.target.closest('dialog').close();
    action();
  };
  const reset = button('Reset…', {
    icon: 'remove', className: 'dangerous', key: 'Shift+X', press: closing(() => perform('reset')),
  });
  reset.disabled = !canReset;
  show('Settings', [
    group('Colours', [element('div', { className: 'segments', role: 'radiogroup', ariaLabel: 'Colours' },
      Object.entries(themes).map(([value, text]) => element('label', {}, [
        element('input', {
          type: 'radio', name: 'theme', value, checked: value === chosenTheme(), onchange: () => chooseTheme(value),
        }), element('span', { textContent: text }),
      ])))]),
    group('Downloads', [slider.element]),
    group('Library', [element('div', { className: 'tools' }, [
      button('Hosts', { icon: 'hosts', press: closing(openHosts) }),
      button('Retry all failed', { icon: 'retry', press: closing(() => perform('retryAll')) }),
      button('Keys', { icon: 'help', key: '?', press: closing(() => dispatchEvent(new Event('imgdl-help'))) }),
      reset,
    ])]),
  ]).then(stopListening);
}
