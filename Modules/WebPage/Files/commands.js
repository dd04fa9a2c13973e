// The commands that concern the library, a record or a resource: which are possible, and what they request.

import { unfinished } from './arrangement.js';
import { call } from './api.js';
import { element, say, showProblem } from './elements.js';

export const priorities = { high: 'High', normal: 'Normal', low: 'Low' };

/**
 * Whether a command is possible.
 * @param {Map<number, object>} records All records.
 * @param {object} [record] The record that the command concerns.
 */
export function isPossible(command, records, record, isPaused) {
  const any = (condition) => [...records.values()].some(condition);
  const ofRecord = () => record !== undefined;
  const conditions = {
    pauseAll: () => isPaused || any((each) => unfinished(each) > 0),
    pause: () => record !== undefined && (record.isPaused || unfinished(record) > 0),
    refresh: ofRecord, reload: ofRecord, details: ofRecord, remove: ofRecord,
    retry: () => record !== undefined && record.counts.failed > 0,
    reset: () => records.size > 0,
  };
  return conditions[command]?.() ?? true;
}

/** Makes requests, and then says a text or shows the problem. */
export async function run(text, work) {
  try {
    const answer = await work();
    say(text || answer);
  } catch (problem) {
    showProblem(problem);
  }
}

/** Makes a request such as `retry` for a record, or for the whole library if there is none. */
export function request(verb, record) {
  return run('Done', () => call('POST', record ? `/v1/records/${record.id}/${verb}` : `/v1/${verb}`));
}

/** Pauses a record or the library, or resumes it. */
export function togglePause(record, isPaused) {
  const verb = isPaused ? 'resume' : 'pause';
  const path = record ? `/v1/records/${record.id}/${verb}` : `/v1/${verb}`;
  return run(isPaused ? 'Resumed' : 'Paused', () => call('POST', path));
}

/** Sets the priority of a record: those with a higher one are downloaded first. */
export function setPriority(record, priority) {
  return run(`${priorities[priority]} priority`, () => call('PUT', `/v1/records/${record.id}/priority`, { priority }));
}

/** Saves the original of a resource. */
export function saveOriginal(id) {
  const address = `/v1/resources/${id}`;
  return run('', async () => {
    const { file } = await call('GET', address);
    if (!file) return 'There is no file yet';
    element('a', { href: `${address}/file`, download: file.name.split('/').pop() }).click();
    return '';
  });
}
