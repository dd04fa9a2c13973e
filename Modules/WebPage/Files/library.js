// Commands that concern the whole library.

import { call } from './api.js';
import { counted } from './text.js';

/** Pauses all downloads, or resumes them. Returns what happened, for a message. */
export async function togglePause() {
  const { isPaused } = await call('GET', '/v1/status');
  await call('POST', isPaused ? '/v1/resume' : '/v1/pause');
  return isPaused ? 'Resumed' : 'Paused';
}

/** Changes the number of simultaneous downloads by a step, which grows with the number. */
export async function changeConcurrency(direction) {
  const { concurrency } = await call('GET', '/v1/status');
  const step = Math.max(1, Math.floor(concurrency / 8));
  const limit = Math.max(1, Math.min(concurrency + direction * step, 1024));
  await call('PUT', '/v1/settings/concurrency', { limit });
  return `${counted(limit, 'download')} at once`;
}
