// The menu of a record.

import { isPossible, priorities } from './commands.js';
import { labelOf, shortcutFor } from './keyboard.js';
import { showMenu } from './menu.js';
import { visible } from './text.js';

/**
 * Shows the menu of a record.
 * @param {(command: string) => void} perform Performs a command of the key table for the record.
 * @param {(priority: string) => void} setPriority
 */
export function showRecordMenu(record, place, perform, setPriority) {
  const records = new Map([[record.id, record]]);
  const command = (text, name, icon, others) => ({
    text, icon, key: labelOf(shortcutFor(name, 'records') ?? '').replace('Shift+', '⇧'), press: () => perform(name),
    isDisabled: !isPossible(name, records, record, false), ...others,
  });
  showMenu(visible(record.title), [
    command('Open', 'open', 'open'),
    command('Image Details', 'details', 'table'),
    null,
    command(record.isPaused ? 'Resume' : 'Pause', 'pause', record.isPaused ? 'play' : 'pause'),
    command('Retry what failed', 'retry', 'retry'),
    command('Refresh', 'refresh', 'refresh'),
    ...(record.hasMore ? [command('Load more', 'loadMore', 'down')] : []),
    null,
    ...Object.entries(priorities).map(([value, text]) => ({
      text: `${text} priority`, icon: 'check', isChosen: record.priority === value, press: () => setPriority(value),
    })),
    null,
    command('Reload…', 'reload', 'reload'),
    command('Remove…', 'remove', 'remove', { isDangerous: true }),
  ], place);
}
