// The cells of a grid of resources: a thumbnail with a label, or a line with texts.

import { button, element } from './elements.js';
import { icon } from './icons.js';
import { states } from './tiles.js';
import { bytes, counted, milliseconds, nameOf, number, visible } from './text.js';

/** Creates an empty cell. */
export function createCell() {
  const picture = element('img', { alt: '', decoding: 'async', draggable: false, hidden: true });
  const blur = element('canvas', { width: 1, height: 1, hidden: true });
  picture.onload = () => {
    picture.hidden = false;
    blur.hidden = true;
  };
  const texts = element('div', { className: 'texts', hidden: true }, [
    element('span', { className: 'strong' }), element('span', { className: 'state' }),
    element('span', { className: 'dim' }),
  ]);
  return element('div', { className: 'tile' }, [
    blur, picture, element('span', { className: 'label', hidden: true }), texts,
    element('span', { className: 'ring', hidden: true, ariaHidden: 'true' }),
    element('span', { className: 'check', title: 'Mark (Space)', ariaHidden: 'true' }, [icon('check')]),
  ]);
}

/**
 * Shows a resource in a cell.
 * @param {object} shown.tile The tile of the resource; undefined until it is read.
 * @param {object} shown.row All data of the resource; undefined unless they were read for a list.
 * @param {string} shown.text What happens to the resource.
 * @param {number} [shown.part] The part of it that is downloaded, 0...1.
 * @param {{name: string, reason?: string, host: string}} [shown.failure] Why it has failed; undefined until it is read.
 * @param {Thumbnails} shown.thumbnails Missing during a fling, whose images cannot be recognised.
 * @param {(hash: Uint8Array) => ImageData} shown.decodeThumbHash Missing while average colours suffice.
 */
export function fillCell(cell, shown) {
  const { index, count, tile, row, text, isMarked, isList } = shown;
  const [, , label, texts] = cell.children;
  showPicture(cell, shown);
  const isFailed = tile?.state === states.failed;
  cell.dataset.state = isFailed ? 'failed' : '';
  const hasFailure = isFailed && !isList;
  label.textContent = isList || hasFailure ? '' : text || tile?.badge || '';
  label.hidden = label.textContent === '';
  showFailure(cell, hasFailure ? text : null, shown.failure);
  showPart(cell, isList ? undefined : shown.part);
  cell.classList.toggle('marked', isMarked);
  texts.hidden = !isList;
  if (isList) fillTexts(texts, row, text);
  const place = `${number(index + 1)} of ${number(count)}`;
  cell.ariaLabel = [
    row ? `${place}, ${visible(nameOf(row))}` : `Image ${place}`, tile ? text : 'loading',
    isMarked ? 'marked' : '',
  ].filter(Boolean).join(', ');
}

function showPicture(cell, { tile, isList, thumbnails, decodeThumbHash }) {
  const [blur, picture] = cell.children;
  const image = tile ? `${tile.id}.${tile.version}` : '';
  const name = tile?.version && thumbnails ? image : '';
  if (picture.shown !== name) {
    const address = name && thumbnails.addressOf(tile);
    picture.shown = address ? name : '';
    picture.hidden = true;
    if (address) picture.src = address;
    else picture.removeAttribute('src');
  }
  const isBlurred = tile?.hash && (!picture.shown || picture.hidden);
  cell.style.backgroundColor = isBlurred && !isList ? tile.color : '';
  const key = isBlurred && decodeThumbHash ? image : '';
  if (cell.dataset.blur !== key) {
    cell.dataset.blur = key;
    blur.hidden = key === '';
    if (key) showBlur(blur, decodeThumbHash(tile.hash));
  }
  // The shape of an image that is being downloaded.
  cell.style.setProperty('--ratio', picture.shown || key || !tile ? 0 : tile.ratio);
}

function showBlur(canvas, image) {
  Object.assign(canvas, { width: image.width, height: image.height });
  canvas.getContext('2d').putImageData(image, 0, 0);
}

/** Shows the name, the reason and the host of a failed resource, and a button; `text` is its state, else null. */
function showFailure(cell, text, failure) {
  let box = cell.querySelector('.failure');
  if (text === null) {
    if (box) box.hidden = true;
    return;
  }
  if (!box) {
    // Most tiles never need these elements.
    const retry = button('Retry', { className: 'retry' });
    retry.tabIndex = -1;
    box = element('div', { className: 'failure' }, [
      element('span', { className: 'strong' }), element('span', { className: 'reason' }),
      element('span', { className: 'host' }), retry,
    ]);
    cell.append(box);
  }
  box.hidden = false;
  const [name, reason, host, retry] = box.children;
  name.textContent = visible(failure?.name ?? '');
  reason.textContent = [text, visible(failure?.reason ?? '')].filter(Boolean).join(': ');
  host.textContent = visible(failure?.host ?? '');
  box.title = [name, reason, host].map(({ textContent }) => textContent).filter(Boolean).join('\n');
  retry.ariaLabel = `Retry ${name.textContent}`;
}

/** Shows the part that is downloaded as a ring. */
function showPart(cell, part) {
  const ring = cell.children[4];
  ring.hidden = part === undefined;
  if (part !== undefined) ring.style.setProperty('--part', `${360 * part}deg`);
}

/** Fills the name, the state with its reason, and the size and time of a line. */
function fillTexts(texts, row, text) {
  const [name, state, facts] = texts.children;
  const { timings } = row?.file ?? {};
  const time = timings?.lastByte === undefined ? '' : milliseconds(timings.lastByte - (timings.queue ?? 0));
  const reason = row?.reason?.split('; --password-file')[0];
  name.textContent = row ? visible(nameOf(row)) : '…';
  state.textContent = [text || row?.status, reason ? visible(reason) : ''].filter(Boolean).join(': ');
  facts.textContent = [
    row?.file ? bytes(row.file.byteCount) : '', time, row?.pageCount > 1 ? counted(row.pageCount, 'page') : '',
  ].filter(Boolean).join(' · ');
}

/** The part of an active resource that is downloaded, 0...1; undefined if its size is unknown. */
export function partOf({ stage, received = 0, expected }) {
  return stage === 'downloading' && expected > 0 ? Math.min(1, received / expected) : undefined;
}

/** The status text of an active resource, as in all programs, and the dimensions of its image. */
export function activityText({ stage, received = 0, expected, width, height }) {
  if (stage === 'unzipping') return 'Unzipping';
  if (stage === 'rendering') return 'Rendering';
  const part = expected > 0 ? `${Math.min(99, Math.floor((received / expected) * 100))}%` : bytes(received);
  return `Downloading ${part}${width ? ` · ${width} × ${height}` : ''}`;
}
