// The rows of the list of records.

import { sectionOf } from './arrangement.js';
import { button, element } from './elements.js';
import { icon, setIcon } from './icons.js';
import { bytes, number, visible } from './text.js';

/** The address of a record; that of a series names the slice viewer. */
export function addressOf({ id, isSeries }) {
  return `/records/${id}${isSeries ? '/slices' : ''}`;
}

/** The icons of the sections without a bar. */
const icons = { failed: 'warning', finished: 'check', lazy: 'list' };

/** Creates an empty row. */
export function createRow() {
  const cell = (className, children = []) => element('div', { className, role: 'gridcell' }, children);
  const cover = element('img', { alt: '', decoding: 'async', draggable: false, hidden: true });
  cover.onload = () => { cover.hidden = false; };
  const retry = button('Retry', { className: 'retry' });
  const more = button('More', { className: 'more', icon: 'more', isBare: true });
  retry.tabIndex = -1;
  return element('div', { className: 'row' }, [
    cell('cover', [cover, icon('file')]),
    cell('name', [
      element('div', { className: 'title' }, [element('a', { tabIndex: -1 })]), element('div', { className: 'meta' }),
    ]),
    cell('state', [
      element('div', { className: 'bar' }, [
        element('progress', { max: 1 }), element('span', { className: 'lost' }),
      ]),
      element('div', { className: 'line' }, [
        icon('check'), element('span', { className: 'status' }), element('span', { className: 'done' }),
      ]),
    ]),
    cell('speed'), cell('left'), cell('actions', [retry, more]),
  ]);
}

/**
 * Shows a record in a row.
 * @param {object} [shown.live] The progress of the record in the last event.
 * @param {{rate: string, left: string}} shown.pace Its rate and remaining time.
 * @param {{address?: string, host?: string}} [shown.cover]
 * @param {boolean} shown.opens Whether the row is the first one of its section; `closes`: whether it is the last one.
 */
export function fillRow(row, record, { live, pace, cover, opens, closes }) {
  const [coverCell, name, state, speed, left, actions] = row.children;
  const { title, counts } = record;
  const section = sectionOf(record);
  row.dataset.section = section;
  row.classList.toggle('opens', opens);
  row.classList.toggle('closes', closes);
  showCover(coverCell, record, cover);
  const [link] = name.firstChild.children;
  link.textContent = visible(title);
  link.title = link.textContent;
  link.href = addressOf(record);
  name.lastChild.textContent = [
    visible(cover?.host ?? ''), counts.bytes > 0 ? bytes(counts.bytes) : '',
    record.priority === 'normal' ? '' : `${record.priority} priority`,
  ].filter(Boolean).join(' · ');
  showState(state, record, section, live);
  speed.textContent = pace.rate;
  left.textContent = pace.left;
  const [retry, more] = actions.children;
  retry.hidden = counts.failed === 0 || section === 'active';
  more.ariaLabel = `More about ${link.textContent}`;
  // The keyboards of some systems have no key for menus.
  more.tabIndex = row.getAttribute('aria-selected') === 'true' ? 0 : -1;
}

function showCover(cell, { id }, cover) {
  const [picture] = cell.children;
  const address = cover?.address;
  picture.record = id;
  if (picture.shown === address) return;
  picture.shown = address;
  picture.hidden = true;
  if (address) picture.src = address;
  else picture.removeAttribute('src');
}

function showState(cell, { counts, status }, section, live) {
  const [bar, line] = cell.children;
  const [progress, lost] = bar.children;
  const settled = counts.finished + counts.failed;
  const fraction = live?.fraction ?? (counts.total === 0 ? 1 : settled / counts.total);
  progress.value = fraction;
  progress.ariaLabel = `${Math.round(fraction * 100)} %`;
  const failed = counts.total === 0 ? 0 : counts.failed / counts.total;
  lost.style.insetInlineStart = `${100 * Math.max(0, fraction - failed)}%`;
  lost.style.width = `${100 * failed}%`;
  const isActive = section === 'active';
  bar.hidden = !isActive;
  const [sign, text, done] = line.children;
  sign.toggleAttribute('hidden', isActive);
  if (!isActive) setIcon(sign, icons[section]);
  text.textContent = status;
  done.textContent = `${number(live?.finished ?? counts.finished)}/${number(counts.total)}`;
}
