// Questions before records and their files are deleted or downloaded again, and the files that could not be deleted.

import { call } from './api.js';
import { ask, show } from './dialogs.js';
import { element, say } from './elements.js';
import { counted, visible } from './text.js';

export async function askToRemove({ id, title, counts }) {
  report(await ask({
    title: 'Remove the record?', action: 'Remove', isDangerous: true,
    content: [element('p', {
      textContent: `“${visible(title)}” and its ${counted(counts.total, 'resource')} will be deleted.`,
    })],
    accept: () => call('DELETE', `/v1/records/${id}`),
  }));
}

export function askToReload({ id, title, counts }) {
  return ask({
    title: 'Download the whole record again?', action: 'Reload',
    content: [element('p', {
      textContent: `“${visible(title)}”: ${counted(counts.total, 'resource')} will be requested again.`,
    })],
    accept: async () => {
      const answer = await call('POST', `/v1/records/${id}/reload`);
      say(counted(answer.count, 'resource'));
      return answer;
    },
  });
}

/** @param {number} count The number of records. */
export async function askToReset(count) {
  report(await ask({
    title: 'Reset the library?', action: 'Delete everything', isDangerous: true,
    content: [element('p', { textContent: `${counted(count, 'record')} and all their files will be deleted.` })],
    accept: () => call('POST', '/v1/reset'),
  }));
}

/** Names the files that are left, for instance in an immutable folder. The response has a body only if there are some. */
function report(left) {
  if (!left?.count) return;
  const more = left.count - left.files.length;
  show(`${counted(left.count, 'file')} could not be deleted`, [
    element('ul', { className: 'scroll' }, left.files.map((text) => element('li', { textContent: visible(text) }))),
    ...(more > 0 ? [element('p', { textContent: `… and ${counted(more, 'more file')}` })] : []),
  ]);
}
