// The commands that concern the library and its selected record, as buttons.

import { button, commandButton, element } from './elements.js';

export const priorities = { high: 'High', normal: 'Normal', low: 'Low' };

export class RecordsToolbar {
  /**
   * @param {(command: string) => void} actions.perform Performs a command of the key table.
   * @param {(priority: string) => void} actions.setPriority Sets the priority of the selected record.
   * @param {(address: string) => void} actions.open Shows the screen of an address.
   */
  constructor({ perform, setPriority, open }) {
    const command = (text, name) => commandButton(text, name, 'records', () => perform(name));
    this.buttons = {
      add: command('Add…', 'add'), pauseAll: command('Pause', 'pauseAll'),
      pause: command('Pause record', 'pause'), refresh: command('Refresh', 'refresh'),
      reload: command('Reload', 'reload'), retry: command('Retry', 'retry'),
      details: command('Details', 'details'), remove: command('Remove…', 'remove'),
      reset: command('Reset…', 'reset'),
      hosts: button('Hosts', { press: () => open('/hosts') }),
      help: button('Help', { key: '?', press: () => dispatchEvent(new Event('imgdl-help')) }),
    };
    this.priority = element('select', {
      ariaLabel: 'Priority', title: 'The order of the downloads', disabled: true,
      onchange: () => setPriority(this.priority.value),
    }, Object.entries(priorities).map(([value, text]) => new Option(`${text} priority`, value)));
    this.element = element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Records' },
      [...Object.values(this.buttons), this.priority]);
  }

  /** Shows which commands are possible for the selected record, or for the library if there is none. */
  show(records, record, isPaused) {
    const { pauseAll, pause, refresh, reload, retry, details, remove, reset } = this.buttons;
    pauseAll.textContent = isPaused ? 'Resume' : 'Pause';
    pauseAll.disabled = !isPaused && ![...records.values()].some(unfinished);
    pause.textContent = record?.isPaused ? 'Resume record' : 'Pause record';
    pause.disabled = !record || (!record.isPaused && unfinished(record) === 0);
    for (const each of [refresh, reload, details, remove, this.priority]) each.disabled = !record;
    this.priority.value = record?.priority ?? 'normal';
    retry.disabled = !(record
      ? record.counts.failed > 0 : [...records.values()].some(({ counts }) => counts.failed));
    reset.disabled = records.size === 0;
  }
}

/** The number of resources of a record that are neither finished nor failed. */
export function unfinished({ counts }) {
  return counts.total - counts.finished - counts.failed;
}
