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
  const key = keyOf(event);
  return key && bindingsOf(place).find(({ keys }) => keys.includes(key))?.command;
}

const repeatable = new Set([
  'up', 'down', 'left', 'right', 'pageUp', 'pageDown', 'first', 'last', 'next', 'previous', 'nextResource',
  'previousResource', 'zoomIn', 'zoomOut', 'faster', 'slower',
]);

/** Whether a key that is held performs its command again and again: those that only move what is shown. */
export function isRepeatable(command) {
  return repeatable.has(command);
}

/** The signs of keys on a US keyboard, without and with Shift. */
const signs = {
  BracketLeft: '[{', BracketRight: ']}', Comma: ',<', Period: '.>', Slash: '/?', Minus: '-_', Equal: '=+', Digit0: '0',
  Space: '  ',
};

/** Returns a key as the key table names it, or undefined if the browser or the system uses it. */
function keyOf(event) {
  const { key, code, shiftKey } = event;
  if (event.metaKey) return undefined;
  if (event.altKey || event.getModifierState('AltGraph')) {
    // AltGr, which Windows reports as Ctrl with Alt, and Option on a Mac type the signs that other keyboards have on
    // keys of their own.
    return /^[!-/:-@[-`{-~]$/.test(key) ? key : undefined;
  }
  if (event.ctrlKey) return undefined;
  if (names[key]) return names[key];
  let typed = key;
  // A layout that is not Latin has other letters at the places of these, and an input method takes the key.
  const isTaken = key === 'Process' || event.keyCode === 229;
  if (isTaken || /^[^ -~]$/u.test(key)) {
    const letter = /^Key([A-Z])$/.exec(code)?.[1];
    // A key of a Latin layout, such as Ü, is not at the place of a sign.
    const sign = isTaken || !/\p{Script=Latin}/u.test(key) ? signs[code]?.[Number(shiftKey)] : undefined;
    typed = letter ? (shiftKey ? letter : letter.toLowerCase()) : sign ?? names[code];
  }
  // Caps Lock must not turn a key into another command.
  if (/^[a-z]$/i.test(typed) && event.getModifierState('CapsLock')) {
    return shiftKey ? typed.toUpperCase() : typed.toLowerCase();
  }
  return typed;
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
