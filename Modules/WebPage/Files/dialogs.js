// Dialogs: each is a modal <dialog>, which the browser closes with Escape and to which it confines the focus.

import { element } from './elements.js';
import { visible } from './text.js';

/** Opens a dialog with these children. A closed dialog is removed from the page. */
function open(title, children, closed) {
  const dialog = element('dialog', { ariaLabel: title }, children);
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Shows `content` in a dialog until the user closes it. */
export function show(title, content) {
  return new Promise((resolve) => {
    const close = element('button', { type: 'button', textContent: 'Close' });
    const dialog = open(title, [
      element('h2', { textContent: title }), ...content,
      element('div', { className: 'buttons' }, [close]),
    ], resolve);
    close.onclick = () => dialog.close();
    close.focus();
  });
}

/**
 * Shows a dialog with the button `action`, and returns what `accept` returns, or null if the user cancels. If
 * `accept` throws, the dialog shows the message and stays open.
 */
export function ask({ title, content, action, isDangerous = false, accept }) {
  return new Promise((resolve) => {
    const error = element('p', { className: 'error', role: 'alert' });
    const button = element('button', {
      type: 'submit', className: isDangerous ? 'danger' : 'primary', textContent: action,
    });
    const cancel = element('button', { type: 'button', textContent: 'Cancel' });
    const form = element('form', { method: 'dialog' }, [
      element('h2', { textContent: title }), ...content, error,
      element('div', { className: 'buttons' }, [cancel, button]),
    ]);
    let result = null;
    const dialog = open(title, [form], () => resolve(result));
    cancel.onclick = () => dialog.close();
    form.onsubmit = async (event) => {
      event.preventDefault();
      // Scripts submit disabled forms, too.
      if (button.disabled) return;
      button.disabled = true;
      error.textContent = '';
      try {
        result = (await accept()) ?? true;
        dialog.close();
      } catch (problem) {
        error.textContent = visible(problem.message);
      }
      button.disabled = false;
    };
  });
}
