// Questions before records and their files are deleted.

import { call } from './api.js';
import { ask } from './dialogs.js';
import { element } from './elements.js';
import { counted, visible } from './text.js';

export function askToRemove({ id, title, counts }) {
  ask({
    title: 'Remove the record?', action: 'Remove', isDangerous: true,
    content: [element('p', {
      textContent: `“${visible(title)}” and its ${counted(counts.total, 'resource')} will be deleted.`,
    })],
    accept: () => call('DELETE', `/v1/records/${id}`),
  });
}

/** @param {number} count The number of records. */
export function askToReset(count) {
  ask({
    title: 'Reset the library?', action: 'Delete everything', isDangerous: true,
    content: [element('p', { textContent: `${counted(count, 'record')} and all their files will be deleted.` })],
    accept: () => call('POST', '/v1/reset'),
  });
}
