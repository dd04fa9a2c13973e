// Elements of the document. Text is always set as text, never as HTML: it may come from a server.

import { icon, setIcon } from './icons.js';

/** Creates an element with properties and children. */
export function element(name, properties = {}, children = []) {
  const { role, dataset, ...others } = properties;
  const created = Object.assign(document.createElement(name), others);
  if (role) created.setAttribute('role', role);
  Object.assign(created.dataset, dataset);
  created.append(...children);
  return created;
}

/**
 * A button with a text and an icon, and the key that has the same effect, in the form of `aria-keyshortcuts`.
 * @param {boolean} [isBare] Whether only the icon is visible; the text is then the name, and the tooltip shows it.
 */
export function button(text, { key, press, icon: name, isBare = false, className = '' } = {}) {
  const created = element('button', { type: 'button', onclick: press, className });
  if (isBare) created.classList.add('bare');
  if (name) created.append(icon(name));
  created.append(element('span', { textContent: text }));
  setKey(created, key);
  return created;
}

/** The button of a command, with its key in the key table of screen `place`. */
export function commandButton(text, command, place, press, options = {}) {
  const created = button(text, { press, ...options });
  // The first screen does not wait for the key table.
  import('./keyboard.js').then(({ shortcutFor }) => setKey(created, shortcutFor(command, place))).catch(() => {});
  return created;
}

/** Gives a button another text and another icon; its key stays. */
export function relabel(button, text, name) {
  const label = button.lastChild;
  if (name && button.firstChild.dataset.icon !== name) setIcon(button.firstChild, name);
  if (label.textContent === text) return;
  label.textContent = text;
  setKey(button, button.getAttribute('aria-keyshortcuts'));
}

function setKey(button, key) {
  if (key) button.setAttribute('aria-keyshortcuts', key);
  if (key || button.classList.contains('bare')) button.title = button.textContent + (key ? ` (${key})` : '');
}

/** A list to choose from, with an icon. */
export function choice(label, name, values, press) {
  const select = element('select', { ariaLabel: label, title: label, onchange: () => press(select.value) },
    Object.entries(values).map(([value, { text }]) => new Option(text, value)));
  return { select, element: element('span', { className: 'choice' }, [icon(name), select, icon('down')]) };
}

/** Lets screen readers speak a sentence. */
export function say(text) {
  document.getElementById('spoken').textContent = text;
}

/** Marks the screen as loaded, and focuses `focused` unless the focus is elsewhere. */
export function finishLoading(focused) {
  document.getElementById('view').ariaBusy = 'false';
  if (!document.querySelector(':focus')) focused?.focus();
}

/** Shows the problem of a request in the banner. */
export function showProblem({ message }) {
  dispatchEvent(new CustomEvent('imgdl-problem', { detail: message }));
}
