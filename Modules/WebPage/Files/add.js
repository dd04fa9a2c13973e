// The dialog that adds sources: a URL, pasted lines, or a file.

import { call, upload } from './api.js';
import { ask } from './dialogs.js';
import { element, say } from './elements.js';
import { bytes, counted, number, visible } from './text.js';

/** Milliseconds from the last change of the lines to their preview. */
const typingTime = 400;

/**
 * Asks for each source in turn, and adds it. Further files that the user gives to a dialog come next.
 * @param {{text?: string, files?: File[]}} [given] What the user pasted or dropped.
 */
export async function askForSources({ text = '', files = [] } = {}) {
  const queue = [...files];
  await askForSource(text, queue.shift(), queue);
  while (queue.length > 0) await askForSource('', queue.shift(), queue);
}

/** @param {File[]} queue The files that come next, before which a dialog puts those that it was given. */
function askForSource(text, file, queue) {
  const input = element('textarea', {
    value: text, rows: 3, placeholder: 'https://example.org/collection.zip', ariaLabel: 'URL',
    autocomplete: 'off', spellcheck: false,
  });
  const chooser = element('input', { type: 'file', multiple: true, ariaLabel: 'File' });
  const preview = element('div', { className: 'preview', role: 'status' });
  const next = element('p', { className: 'hint', role: 'status' });
  // The files that this dialog was given besides its own.
  let others = [];
  const lazy = element('input', { type: 'checkbox' });
  const source = new UploadedSource(preview);
  let timer;
  const show = () => {
    clearTimeout(timer);
    if (source.file) return;
    const lines = linesOf(input.value);
    if (lines.length > 1) timer = setTimeout(() => source.send(lines.join('\n'), 'Pasted list'), typingTime);
    else source.clear();
  };
  const choose = (chosen, ...rest) => {
    input.disabled = true;
    others = rest;
    const count = rest.length + queue.length;
    next.textContent = count > 0 ? `Next: ${counted(count, 'other file')}` : '';
    source.send(chosen, chosen.name);
  };
  input.oninput = show;
  // Enter submits a single URL; among several lines, it begins a new line.
  input.onkeydown = (event) => {
    // An input method takes the key that ends its composition; Safari reports it with this code after the end.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key !== 'Enter' || event.shiftKey || (linesOf(input.value).length > 1 && !event.ctrlKey)) return;
    event.preventDefault();
    input.form.requestSubmit();
  };
  chooser.onchange = () => { if (chooser.files[0]) choose(...chooser.files); };
  const content = element('div', { className: 'fields' }, [
    element('p', { className: 'hint', textContent: 'A URL, a list of URLs with one in each line, or a file:' }),
    input, chooser, preview, next,
    element('label', {}, [lazy, ' Download resources when they are viewed']),
  ]);
  content.ondragover = (event) => event.preventDefault();
  content.ondrop = (event) => {
    event.preventDefault();
    const { dataTransfer: data } = event;
    const dropped = data.getData('text/uri-list') || data.getData('text');
    if (data.files[0]) choose(...data.files);
    else if (dropped && !source.file) {
      input.value = [...linesOf(input.value), dropped].join('\n');
      show();
    }
  };
  content.onpaste = (event) => {
    const { clipboardData: data } = event;
    // Programs that copy text may add a picture of it.
    if (!data.files[0] || data.getData('text')) return;
    event.preventDefault();
    choose(...data.files);
  };
  if (file) choose(file);
  else show();
  return ask({
    title: 'Add a source', action: 'Add', content: [content],
    accept: async () => {
      clearTimeout(timer);
      const lines = linesOf(input.value);
      if (!source.file && lines.length === 0) throw new Error('There is no URL and no file.');
      const options = { lazy: lazy.checked, outlivesClient: true };
      const result = source.file || lines.length > 1
        ? await source.add(lines.join('\n'), options)
        : await call('POST', '/v1/sources', { url: lines[0], ...options });
      say(`${counted(result.records.length, 'record')} added`);
      return result;
    },
  }).finally(() => queue.unshift(...others));
}

/** A file or a text that was sent to imgdld, and what imgdld recognised in it. */
class UploadedSource {
  /** @param {HTMLElement} preview */
  constructor(preview) {
    this.preview = preview;
    this.clear();
  }

  clear() {
    this.sending = null;
    this.content = null;
    this.preview.replaceChildren();
  }

  /** The file that was sent; null for a text. */
  get file() {
    return this.content instanceof File ? this.content : null;
  }

  /** Sends a file or a text, and shows what it contains. */
  send(content, name) {
    const size = content.size ?? content.length;
    this.content = content;
    this.preview.replaceChildren(element('p', { textContent: `Reading ${visible(name)}, ${bytes(size)}…` }));
    const sending = upload(content, name).then(({ upload: id }) => id);
    this.sending = sending;
    sending.then((id) => call('POST', '/v1/sources/preview', { upload: id })).then(
      (found) => { if (this.sending === sending) this.#show(name, found); },
      (problem) => {
        if (this.sending !== sending) return;
        this.preview.replaceChildren(element('p', { className: 'error', textContent: visible(problem.message) }));
      });
    return sending;
  }

  /** Adds the sent file, or a text, which is sent first if necessary. */
  async add(text, options) {
    const sending = this.sending && (this.file || this.content === text)
      ? this.sending : this.send(text, 'Pasted list');
    try {
      return await call('POST', '/v1/sources', { upload: await sending, ...options });
    } catch (problem) {
      // imgdld may have consumed the upload; the next attempt sends it again.
      if (problem.status !== 0) this.sending = null;
      throw problem;
    }
  }

  #show(name, { records, recordCount, entryCount, duplicateCount, examples, problems, problemCount }) {
    const facts = [
      counted(entryCount, 'entry', 'entries'), `in ${counted(recordCount, 'record')}`,
      duplicateCount > 0 ? `${counted(duplicateCount, 'duplicate')}` : '',
      problemCount > 0 ? `${number(problemCount)} cannot be used` : '',
    ].filter(Boolean);
    const list = (texts, className) => element('ul', { className }, texts.map(
      (text) => element('li', { textContent: visible(text) })));
    this.preview.replaceChildren(
      element('p', { className: 'strong', textContent: `${visible(name)}: ${facts.join(', ')}` }),
      list(recordCount > 1
        ? records.map(({ title, entries }) => `${title} (${number(entries)})`) : examples, ''),
      list(problems, 'error'));
  }
}

function linesOf(text) {
  return text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
}
