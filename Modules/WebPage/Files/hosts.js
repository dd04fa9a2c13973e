// The hosts: which of them are throttled, until when, and why.

import { call } from './api.js';
import { button, element, finishLoading } from './elements.js';
import { listen } from './live.js';
import { counted, duration, number, visible } from './text.js';

/** The time in milliseconds after which the table is read again. */
const refreshTime = 1000;

export class HostsScreen {
  place = 'hosts';

  constructor(view, router) {
    this.router = router;
    document.title = 'Hosts – imgdl';
    this.summary = element('p', { className: 'summary' });
    this.rows = element('tbody');
    this.empty = element('div', { className: 'empty', hidden: true }, [
      'No host has a transfer, and none is throttled.',
    ]);
    this.table = element('table', { className: 'facts' }, [
      element('thead', {}, [element('tr', {}, ['Host', 'Transfers', 'Limit', 'Next transfer', 'Reason'].map(
        (text) => element('th', { scope: 'col', textContent: text })))]),
      this.rows,
    ]);
    view.replaceChildren(
      element('header', {}, [
        button('Records', { key: 'Escape', icon: 'back', isBare: true, press: () => router.open('/') }),
        element('h1', { textContent: 'Hosts' }), this.summary,
      ]),
      element('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: 'Hosts' }, [
        this.table, this.empty,
      ]));
    this.reading = setInterval(() => { if (!document.hidden) this.#read(); }, refreshTime);
    this.stopListening = listen(({ kind }) => { if (kind === 'connection') this.#read(); });
    this.#read();
  }

  close() {
    this.stopListening();
    clearInterval(this.reading);
  }

  async #read() {
    let hosts;
    try {
      ({ hosts } = await call('GET', '/v1/hosts'));
    } catch {
      return;
    }
    finishLoading();
    this.table.hidden = hosts.length === 0;
    this.empty.hidden = hosts.length > 0;
    const throttled = hosts.filter(({ until }) => until !== undefined).length;
    this.summary.textContent = [
      counted(hosts.length, 'host'), throttled > 0 ? `${number(throttled)} throttled` : '',
    ].filter(Boolean).join(' · ');
    this.rows.replaceChildren(...hosts.map(({ host, active, limit, waits, until, reason }) => {
      const next = waits === undefined ? 'at once'
        : `in ${duration(waits)}, at ${new Date(until * 1000).toLocaleTimeString()}`;
      return element('tr', {}, [
        element('th', { scope: 'row', textContent: visible(host) }),
        ...[number(active), number(limit), next, visible(reason ?? '')].map(
          (text) => element('td', { textContent: text })),
      ]);
    }));
  }

  perform(command) {
    if (command !== 'back') return false;
    this.router.open('/');
    return true;
  }
}
