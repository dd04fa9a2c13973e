// Image Details: the size of each image of a record, and the times of its download.

import { call } from './api.js';
import { button, element, finishLoading, relabel, say, showProblem } from './elements.js';
import { followRecord } from './follow.js';
import { VirtualList } from './list.js';
import { Tiles } from './tiles.js';
import { bytes, csv, hostOf, milliseconds, nameOf, number, rate, visible } from './text.js';

/** The number of rows in a request for the CSV file, the largest that imgdld answers. */
const portion = 1024;
/** Milliseconds after which a table with changed rows is sorted again. */
const sortingTime = 3000;

/** The phases of a download, in their order: the waterfall has a bar for each. */
const phases = [
  { name: 'queue', text: 'Waiting for a connection' },
  { name: 'dns', text: 'Name lookup' },
  { name: 'connect', text: 'Connecting' },
  { name: 'tls', text: 'TLS' },
  { name: 'request', text: 'Sending the request' },
  { name: 'firstByte', text: 'Waiting for the server' },
  { name: 'lastByte', text: 'Receiving' },
];

const columns = [
  { name: 'number', text: '#', order: 'position', value: ({ index }) => number(index) },
  { name: 'name', text: 'Name', value: (row) => visible(nameOf(row)) },
  { name: 'size', text: 'Size', order: 'size', value: ({ file }) => file && bytes(file.byteCount) },
  { name: 'time', text: 'Time', order: 'duration', value: (row) => milliseconds(timesOf(row).duration) },
  { name: 'rate', text: 'Rate', order: 'rate', value: (row) => rate(timesOf(row).rate ?? 0) },
  { name: 'wait', text: 'Wait', order: 'wait', value: (row) => milliseconds(timesOf(row).wait) },
  { name: 'transfer', text: 'Transfer', order: 'transfer', value: (row) => milliseconds(timesOf(row).transfer) },
  { name: 'host', text: 'Host', value: (row) => visible(hostOf(row.url)) },
];

/** The times of a resource's download in milliseconds, as imgdl-tui shows and imgdld sorts them. */
function timesOf({ file }) {
  const timings = file?.timings ?? {};
  const { queue = 0, connect, tls, request, firstByte, lastByte } = timings;
  const duration = lastByte === undefined ? undefined : lastByte - queue;
  const isTransferred = firstByte !== undefined && lastByte !== undefined;
  return {
    duration,
    // Earlier transfers may have received a part of the file.
    rate: duration > 0 ? (timings.receivedBytes ?? file.byteCount) / duration * 1000 : undefined,
    wait: firstByte === undefined ? undefined
      : Math.max(0, firstByte - (request ?? tls ?? connect ?? queue)),
    transfer: isTransferred ? Math.max(0, lastByte - firstByte) : undefined,
  };
}

export class DetailsScreen {
  place = 'details';

  constructor(view, record, router) {
    this.record = record;
    this.router = router;
    this.parameters = new URLSearchParams(location.search);
    this.longest = 1;
    this.#build(view);
    this.following = followRecord(record, router, {
      renew: () => { this.ready = this.#open(); },
      reread: (resources) => this.#reread(resources),
    });
    this.ready = this.#open();
  }

  close() {
    this.following.stop();
    clearTimeout(this.sorting);
    this.isClosed = true;
  }

  #build(view) {
    this.title = element('p', { className: 'summary' });
    this.saving = button('CSV', { icon: 'save', press: () => this.#save() });
    this.headings = element('div', { className: 'headings' }, columns.map((column) => element(
      'span', { className: column.name }, [column.order
        ? element('button', { type: 'button', onclick: () => this.#sort(column.order) }) : column.text])));
    this.headings.append(element('span', { className: 'waterfall', textContent: 'Waterfall' }));
    this.list = new VirtualList({
      label: 'Image Details',
      className: 'list details',
      create: createRow,
      fill: (row, index) => this.#fill(row, index),
      onScroll: () => this.#load(),
      onOpen: (index) => this.#openImage(index),
    });
    this.legend = element('p', { className: 'legend' }, phases.map(({ name, text }) => element('span', {}, [
      element('span', { className: `phase ${name}`, ariaHidden: 'true' }), text,
    ])));
    view.replaceChildren(
      element('header', {}, [
        button('Record', { key: 'Escape', icon: 'back', isBare: true, press: () => this.router.open(`/records/${this.record}`) }),
        element('h1', { textContent: 'Image Details' }), this.title,
        element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Image Details' }, [this.saving]),
      ]),
      this.headings, this.list.element, this.legend);
  }

  get #order() {
    const order = this.parameters.get('sort') ?? 'position';
    return columns.some((column) => column.order === order) ? order : 'position';
  }

  get #isDescending() {
    return this.parameters.has('descending');
  }

  async #open() {
    const order = this.#order;
    this.tiles = new Tiles(
      this.record, { order, descending: this.#isDescending }, (from, to) => this.#showLoaded(from, to));
    try {
      const [record] = await Promise.all([call('GET', `/v1/records/${this.record}`), this.tiles.open()]);
      this.title.textContent = visible(record.title);
      document.title = `Image Details: ${this.title.textContent} – imgdl`;
    } catch (problem) {
      this.following.fail(problem);
      return;
    }
    if (this.isClosed) return;
    columns.forEach((column, place) => {
      if (!column.order) return;
      const [heading] = this.headings.children[place].children;
      const isChosen = column.order === order;
      heading.textContent = column.text + (isChosen ? this.#isDescending ? ' ▾' : ' ▴' : '');
      heading.ariaPressed = isChosen;
      heading.ariaLabel = `Sort by ${column.text === '#' ? 'number' : column.text.toLowerCase()}`;
    });
    this.#showView();
    finishLoading(this.list.element);
  }

  /** Shows the view, which was made or, after imgdld had discarded it, made again. */
  #showView() {
    this.view = this.tiles.view;
    this.list.setCount(this.tiles.total);
    this.#load();
  }

  #load() {
    const [first, last] = this.list.visibleRows;
    this.tiles?.loadRows(Math.max(0, first - 20), last + 20).catch(() => {});
  }

  #showLoaded(from, to) {
    // Until a view is made, the rows of the former one stay.
    if (!this.tiles.view) return;
    if (this.view !== this.tiles.view) this.#showView();
    let longest = this.longest;
    const [first, last] = this.list.visibleRows;
    for (let index = first; index < last; index += 1) {
      longest = Math.max(longest, this.tiles.rowAt(index)?.file?.timings.lastByte ?? 0);
    }
    // All bars have one scale, so that they can be compared.
    if (longest > this.longest) {
      this.longest = longest;
      this.list.refreshRows();
      return;
    }
    for (let index = Math.max(from, first); index < Math.min(to, last + 8); index += 1) {
      this.list.refreshRows(index);
    }
  }

  #fill(row, index) {
    const item = this.tiles.rowAt(index);
    columns.forEach((column, place) => {
      const cell = row.children[place];
      let text = item ? column.value(item) ?? '' : '';
      if (item && column.name === 'size' && !text) text = item.status;
      cell.textContent = text;
      cell.title = column.name === 'name' && item?.reason ? visible(item.reason) : '';
    });
    const timings = item?.file?.timings ?? {};
    let start = 0;
    const texts = [];
    [...row.lastChild.children].forEach((bar, place) => {
      const end = timings[phases[place].name];
      const width = end === undefined ? 0 : Math.max(0, end - start);
      bar.style.left = `${100 * start / this.longest}%`;
      bar.style.width = `${100 * width / this.longest}%`;
      if (width > 0) texts.push(`${phases[place].text} ${milliseconds(width)}`);
      if (end !== undefined) start = end;
    });
    row.lastChild.title = texts.join(', ');
    row.lastChild.ariaLabel = row.lastChild.title || 'No download';
  }

  #sort(order) {
    if (order === this.#order) {
      if (this.#isDescending) this.parameters.delete('descending');
      else this.parameters.set('descending', '');
    } else {
      this.parameters.delete('descending');
    }
    this.parameters.set('sort', order);
    this.router.replace(`/records/${this.record}/details?${this.parameters}`);
    this.ready = this.#open();
  }

  /** Opens the image of a row in the viewer, whose address has its place in the record's own order. */
  async #openImage(index) {
    const id = this.tiles.at(index)?.id;
    if (!id) return;
    let place = index;
    if (this.#order !== 'position' || this.#isDescending) {
      try {
        const { findPosition } = await import('./find.js');
        const all = new Tiles(this.record, {}, () => {});
        await all.open();
        place = await findPosition(all, id);
      } catch (problem) {
        showProblem(problem);
        return;
      }
    }
    if (place !== undefined && !this.isClosed) this.router.open(`/records/${this.record}/${place + 1}`);
  }

  /** Saves all rows as a CSV file (RFC 4180). */
  async #save() {
    this.saving.disabled = true;
    const parts = [csv(['#', 'name', 'url', 'status', 'bytes', 'duration_ms', 'bytes_per_second', 'wait_ms',
      'transfer_ms', ...phases.map(({ name }) => `${name}_ms`), 'reason'])];
    try {
      for (let from = 0; from < this.tiles.total && !this.isClosed; from += portion) {
        for (const row of await this.tiles.rows(from, portion)) {
          const times = timesOf(row);
          parts.push(csv([
            row.index, nameOf(row), row.url, row.status, row.file?.byteCount, times.duration, times.rate,
            times.wait, times.transfer, ...phases.map(({ name }) => row.file?.timings[name]), row.reason,
          ]));
        }
        relabel(this.saving, `${Math.floor(100 * (from + portion) / Math.max(portion, this.tiles.total))} %`);
      }
      const address = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
      element('a', { href: address, download: `${this.title.textContent || 'details'}.csv` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      say('Saved');
    } catch (problem) {
      showProblem(problem);
    }
    relabel(this.saving, 'CSV');
    this.saving.disabled = false;
  }

  async #reread(resources) {
    if (this.#order !== 'position') {
      this.sorting ??= setTimeout(() => {
        this.sorting = null;
        this.ready = this.#open();
      }, sortingTime);
    }
    await this.tiles.reload(resources ?? this.tiles.indexes.keys()).catch(() => {});
    this.#load();
  }

  perform(command) {
    if (this.list.move(command)) return true;
    const sortable = columns.filter(({ order }) => order);
    const place = sortable.findIndex(({ order }) => order === this.#order);
    const actions = {
      back: () => this.router.open(`/records/${this.record}`),
      open: () => this.list.open(),
      sort: () => this.#sort(sortable[(place + 1) % sortable.length].order),
      reverse: () => this.#sort(this.#order),
    };
    actions[command]?.();
    return command in actions;
  }
}

function createRow() {
  const cells = columns.map(({ name }) => element('div', { className: name, role: 'gridcell' }));
  const bars = phases.map(({ name }) => element('span', { className: `phase ${name}` }));
  cells.push(element('div', { className: 'waterfall', role: 'gridcell' }, bars));
  return element('div', { className: 'row' }, cells);
}
