// The menus of the resources of a record: that of the record, and that of one resource.

import { call } from './api.js';
import { element, say, showProblem } from './elements.js';
import { labelOf, shortcutFor } from './keyboard.js';
import { showMenu } from './menu.js';
import { states } from './tiles.js';
import { counted } from './text.js';

const keyOf = (name) => labelOf(shortcutFor(name, 'resources') ?? '').replace('Shift+', '⇧');

/**
 * Shows the menu of a record.
 * @param {(command: string) => void} actions.perform Performs a command of the key table.
 */
export function showRecordCommands(record, place, { perform, markAll, openSlices, open }) {
  const command = (text, name, icon) => ({ text, icon, key: keyOf(name), press: () => perform(name) });
  showMenu('Record', [
    ...(record?.isSeries ? [{ text: 'Slices', icon: 'slices', press: openSlices }] : []),
    { text: 'Mark all', icon: 'chosen', key: 'Ctrl+A', press: markAll },
    null,
    command('Refresh', 'refresh', 'refresh'),
    ...(record?.hasMore ? [command('Load more', 'loadMore', 'down')] : []),
    command('Reload…', 'reload', 'reload'),
    null,
    { text: 'Hosts', icon: 'hosts', press: () => open('/hosts') },
    { text: 'Keys', icon: 'help', key: '?', press: () => dispatchEvent(new Event('imgdl-help')) },
  ], place);
}

/**
 * Shows the menu of a resource; if it is marked, the commands concern all marked ones.
 * @param {(verb: string, ids?: number[]) => void} actions.repeat Retries or reloads resources, or the marked ones.
 */
export function showResourceMenu(tile, place, { name, isMarked, markCount, open, mark, repeat }) {
  const several = isMarked && markCount > 1;
  const ids = several ? undefined : [tile.id];
  const of = (verb) => (several ? `${verb} ${counted(markCount, 'marked image')}` : verb);
  const address = `/v1/resources/${tile.id}`;
  showMenu(name, [
    { text: 'Open', icon: 'open', key: keyOf('open'), press: open },
    { text: isMarked ? 'Remove the mark' : 'Mark', icon: 'chosen', key: 'Space', press: mark },
    null,
    { text: 'Save the original', icon: 'save', isDisabled: tile.state !== states.finished, press: () => save(address) },
    { text: 'Copy the URL', icon: 'file', press: () => copy(address) },
    null,
    {
      text: of('Retry'), icon: 'retry', isDisabled: !several && tile.state !== states.failed,
      press: () => repeat('retry', ids),
    },
    { text: of('Reload'), icon: 'reload', press: () => repeat('reload', ids) },
  ], place);
}

async function save(address) {
  const { file } = await call('GET', address).catch(() => ({}));
  if (file) element('a', { href: `${address}/file`, download: file.name.split('/').pop() }).click();
}

async function copy(address) {
  try {
    const { url } = await call('GET', address);
    await navigator.clipboard.writeText(url);
    say('Copied');
  } catch (problem) {
    showProblem(problem);
  }
}
