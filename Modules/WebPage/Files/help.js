// The help: all keys of a screen.

import { show } from './dialogs.js';
import { element } from './elements.js';
import { bindingsOf, labelOf } from './keyboard.js';

/** Shows the keys of the screen `place`, and other gestures with their effects. */
export function showHelp(place, title, others = []) {
  const row = (keys, text) => element('tr', {}, [
    element('th', { scope: 'row' }, keys.flatMap((key) => [element('kbd', { textContent: key }), ' '])),
    element('td', { textContent: text }),
  ]);
  const rows = bindingsOf(place).map(({ keys, help }) => row(keys.map(labelOf), help));
  for (const [gesture, text] of others) rows.push(row([gesture], text));
  return show(`Keys: ${title}`, [element('div', { className: 'scroll', tabIndex: 0 }, [
    element('table', { className: 'keys' }, [element('tbody', {}, rows)]),
  ])]);
}
