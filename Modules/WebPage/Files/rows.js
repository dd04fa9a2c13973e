// The rows of the list of records.

import { element } from './elements.js';
import { number, visible } from './text.js';

/** The address of a record; that of a series names the slice viewer. */
export function addressOf({ id, isSeries }) {
  return `/records/${id}${isSeries ? '/slices' : ''}`;
}

/** Creates an empty row. */
export function createRow() {
  const cell = (className, children = []) => element('div', { className, role: 'gridcell' }, children);
  return element('div', { className: 'row' }, [
    cell('title', [element('a', { tabIndex: -1 })]), cell('status'), cell('bar', [element('progress', { max: 1 })]),
    cell('done'), cell('speed'),
  ]);
}

/**
 * Shows a record in a row.
 * @param {object} [live] The progress of the record in the last event.
 * @param {string} speed Its rate and remaining time.
 */
export function fillRow(row, record, live, speed) {
  const [titleCell, status, bar, done, speedCell] = row.children;
  const { title, counts } = record;
  const [link] = titleCell.children;
  link.textContent = visible(title);
  link.title = link.textContent;
  link.href = addressOf(record);
  status.textContent = record.status;
  status.dataset.state = counts.failed > 0 ? 'failed' : '';
  const settled = counts.finished + counts.failed;
  const fraction = live?.fraction ?? (counts.total === 0 ? 1 : settled / counts.total);
  bar.firstChild.value = fraction;
  bar.firstChild.ariaLabel = `${Math.round(fraction * 100)} %`;
  bar.firstChild.dataset.state = counts.failed > 0 ? 'failed' : '';
  done.textContent = `${number(live?.finished ?? counts.finished)}/${number(counts.total)}`;
  speedCell.textContent = speed;
}
