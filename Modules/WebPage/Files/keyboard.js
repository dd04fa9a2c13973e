// The keys of the page, from the key table of imgdl-tui, and the help that shows them.

import { show } from './dialogs.js';
import { element } from './elements.js';
import { bindings } from './keys.js';

const names = {
  ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right', Home: 'home', End: 'end',
  PageUp: 'pageup', PageDown: 'pagedown', Enter: 'enter', Escape: 'escape', Backspace: 'backspace',
  Delete: 'delete',
};

/** The bindings of a screen: each a command with its keys and its help. */
export function bindingsOf(place) {
  return bindings.filter(({ command, places }) => place === 'hosts'
    ? command === 'help' || command === 'back' && places.includes('details') : places.includes(place));
}

/** Returns the command of a key on a screen, or undefined. */
export function commandFor(event, place) {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const key = names[event.key] ?? event.key;
  return bindingsOf(place).find(({ keys }) => keys.includes(key))?.command;
}

/** The value of `aria-keyshortcuts` for the first key of a command, or undefined. */
export function shortcutFor(command, place) {
  const key = bindingsOf(place).find((binding) => binding.command === command)?.keys[0];
  if (key === undefined) return undefined;
  const named = Object.keys(names).find((name) => names[name] === key);
  if (named) return named;
  if (key === ' ') return 'Space';
  return key !== key.toLowerCase() ? `Shift+${key}` : key;
}

/** The name of a key for display. */
export function labelOf(key) {
  const labels = {
    up: '↑', down: '↓', left: '←', right: '→', ' ': 'Space', escape: 'Esc', pageup: 'PgUp', pagedown: 'PgDn',
  };
  return labels[key] ?? (key.length > 1 ? key[0].toUpperCase() + key.slice(1) : key);
}

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
