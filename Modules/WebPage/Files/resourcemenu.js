// The menus of the resources of a record: that of the record, and that of one resource.

import { call } from './api.js';
import { run, saveOriginal } from './commands.js';
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
  showMenu(name, [
    { text: 'Open', icon: 'open', key: keyOf('open'), press: open },
    { text: isMarked ? 'Remove the mark' : 'Mark', icon: 'chosen', key: 'Space', press: mark },
    null,
    {
      text: 'Save the original', icon: 'save', isDisabled: tile.state !== states.finished,
      press: () => saveOriginal(tile.id),
    },
    // Browsers have a clipboard for pages that come over HTTPS or from the same machine.
    ...(navigator.clipboard ? [{ text: 'Copy the URL', icon: 'file', press: () => copy(tile.id) }] : []),
    null,
    {
      text: of('Retry'), icon: 'retry', isDisabled: !several && tile.state !== states.failed,
      press: () => repeat('retry', ids),
    },
    { text: of('Reload'), icon: 'reload', press: () => repeat('reload', ids) },
  ], place);
}

function copy(id) {
  return run('Copied', async () => {
    const { url } = await call('GET', `/v1/resources/${id}`);
    await navigator.clipboard.writeText(url);
  });
}
