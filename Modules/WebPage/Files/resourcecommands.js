// The commands that concern a record or some of its resources, and the marks that say which.

import { call } from './api.js';
import { say, showProblem } from './elements.js';
import { counted } from './text.js';

const { early } = window;

// The first screen does not wait for these scripts.
const library = () => import('./library.js');
const menus = () => import('./resourcemenu.js');

export class ResourceCommands {
  /** The screen has a record's id and data, its tiles and whether these are all in its order, marks and the grid. */
  constructor(screen) {
    this.screen = screen;
  }

  /** Makes requests, and says how many resources they concern. */
  async run(work) {
    try {
      const answer = await work();
      if (answer?.count !== undefined) say(counted(answer.count, 'resource'));
    } catch (problem) {
      showProblem(problem);
    }
  }

  /** Makes a request such as `refresh` for the record. */
  request(verb) {
    return this.run(() => call('POST', `/v1/records/${this.screen.record}/${verb}`));
  }

  /** Pauses or resumes all downloads. */
  togglePauseOfAll() {
    return this.run(async () => say(await (await library()).togglePause()));
  }

  changeConcurrency(direction) {
    return this.run(async () => say(await (await library()).changeConcurrency(direction)));
  }

  /** Reads the next page of the source. */
  async loadMore() {
    if (this.isLoadingMore) return;
    this.isLoadingMore = true;
    await this.request('more');
    this.isLoadingMore = false;
  }

  /** Retries or reloads these resources, else the marked ones, else the filtered ones, else the record. */
  repeat(verb, resources) {
    const { record, marks, tiles, isNatural } = this.screen;
    const path = `/v1/records/${record}/${verb}`;
    if (resources) return this.run(() => call('POST', path, { resources }));
    if (marks.count === 0) return this.run(() => (isNatural ? call('POST', path) : tiles.command(verb)));
    const { ids } = marks;
    marks.clear();
    return this.run(() => (ids === null ? tiles.command(verb) : call('POST', path, { resources: ids })));
  }

  async reload() {
    const { marks, isNatural, known } = this.screen;
    if (marks.count > 0 || !isNatural) this.repeat('reload');
    else if (known) (await import('./removal.js')).askToReload(known);
  }

  mark(index) {
    const tile = this.screen.tiles.at(index);
    if (tile) this.screen.marks.toggle(tile.id);
  }

  markAll() {
    this.screen.marks.markAll(this.screen.tiles.total);
  }

  /** Marks a range, whose tiles are read one block after another. */
  async markRange(from, to) {
    const { tiles } = this.screen;
    const ids = [];
    try {
      for (let start = from; start < to; start += early.blockSize) {
        const end = Math.min(to, start + early.blockSize);
        await tiles.load(start, end);
        ids.push(...tiles.between(start, end).map(({ id }) => id));
      }
    } catch (problem) {
      showProblem(problem);
    }
    if (tiles === this.screen.tiles) this.screen.marks.add(ids);
  }

  async openRecordMenu(place) {
    const { screen } = this;
    const { showRecordCommands } = await menus();
    showRecordCommands(screen.known, place, {
      perform: (command) => screen.perform(command), markAll: () => this.markAll(), openSlices: () => this.openSlices(),
      open: screen.router.open,
    });
  }

  openSlices() {
    this.screen.router.open(`/records/${this.screen.record}/slices`);
  }

  /** Shows the menu of the selected resource. */
  async openMenu(place) {
    const { grid, tiles, marks } = this.screen;
    const index = grid.selected;
    const tile = tiles.at(index);
    if (!tile) return;
    const { showResourceMenu } = await menus();
    showResourceMenu(tile, place, {
      name: grid.element.querySelector(`#tile-${index}`)?.ariaLabel ?? 'Image',
      isMarked: marks.has(tile.id), markCount: marks.count,
      open: () => grid.onOpen(index), mark: () => this.mark(index), repeat: (verb, ids) => this.repeat(verb, ids),
    });
  }
}
