// Elements of the document. Text is always set as text, never as HTML: it may come from a server.

/** Creates an element with properties and children. */
export function element(name, properties = {}, children = []) {
  const { role, dataset, ...others } = properties;
  const created = Object.assign(document.createElement(name), others);
  if (role) created.setAttribute('role', role);
  Object.assign(created.dataset, dataset);
  created.append(...children);
  return created;
}

/** A button with a text, and the key that has the same effect, in the form of `aria-keyshortcuts`. */
export function button(text, { key, press }) {
  const created = element('button', { type: 'button', textContent: text, onclick: press });
  setKey(created, key);
  return created;
}

/** The button of a command, with its key in the key table of screen `place`. */
export function commandButton(text, command, place, press) {
  const created = button(text, { press });
  // The first screen does not wait for the key table.
  import('./keyboard.js').then(({ shortcutFor }) => setKey(created, shortcutFor(command, place))).catch(() => {});
  return created;
}

function setKey(button, key) {
  if (!key) return;
  button.setAttribute('aria-keyshortcuts', key);
  button.title = `${button.textContent} (${key})`;
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
