// An information box about a resource.

import { call } from './api.js';
import { element } from './elements.js';
import { bytes, hostOf, milliseconds, nameOf, visible } from './text.js';

export class Facts {
  constructor() {
    // The text scrolls and can be selected.
    const keep = (event) => event.stopPropagation();
    this.element = element('dl', {
      className: 'facts-box', hidden: true, onwheel: keep, onpointerdown: keep, ondblclick: keep,
    });
  }

  get isShown() {
    return !this.element.hidden;
  }

  toggle() {
    this.element.hidden = !this.element.hidden;
    return this.isShown;
  }

  /**
   * Shows a resource, unless another one was requested meanwhile.
   * @param {{width: number, height: number, reason?: string, remark?: string}} [page] The page that is visible.
   */
  async show(id, page) {
    this.id = id;
    const resource = await call('GET', `/v1/resources/${id}`).catch(() => null);
    if (!resource || this.id !== id) return;
    const { timings } = resource.file ?? {};
    const { width, height } = page?.width ? page : resource;
    // The reason of the resource names that of one page only.
    const own = page?.reason ?? page?.remark;
    const facts = {
      Name: nameOf(resource),
      Number: `${resource.record}:${resource.index}`,
      Image: width ? `${width} × ${height}` : '',
      Size: resource.file ? bytes(resource.file.byteCount) : '',
      Time: timings?.lastByte === undefined ? '' : milliseconds(timings.lastByte - (timings.queue ?? 0)),
      Host: hostOf(resource.url),
      URL: resource.url,
      State: resource.status,
      Reason: resource.reason,
      Page: own && !resource.reason?.includes(own) ? own : '',
    };
    this.element.replaceChildren(...Object.entries(facts).filter(([, value]) => value).flatMap(
      ([name, value]) => [
        element('dt', { textContent: name }), element('dd', { textContent: visible(value) }),
      ]));
  }
}
