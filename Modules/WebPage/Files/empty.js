// What the list of records shows without records.

import { button, element } from './elements.js';
import { icon } from './icons.js';
import { visible } from './text.js';

/** The kinds of sources, with examples. */
const kinds = [
  ['A list', 'a zip of lists, JSON or text with a URL in each line'],
  ['A file', 'an image, a PDF or an archive such as ZIP and CBZ'],
  ['A series', 'the slices of a CT, one image for each'],
];

/** Says why no record is shown: what filters them, or how to add some, by the dialog that `add` opens. */
export function emptiness(text, filter, add) {
  if (text) return [element('p', { textContent: `No title contains “${visible(text)}”.` })];
  if (filter !== 'all') return [element('p', { textContent: 'There is nothing here.' })];
  return [
    element('div', { className: 'target' }, [
      icon('save'),
      element('p', { className: 'strong', textContent: 'The library is empty.' }),
      element('p', { textContent: 'Drop files or links anywhere, paste URLs, or' }),
      button('Enter a URL…', { icon: 'open', press: add }),
    ]),
    element('dl', { className: 'kinds' }, kinds.flatMap(([name, text]) => [
      element('dt', { textContent: name }), element('dd', { textContent: text }),
    ])),
  ];
}
