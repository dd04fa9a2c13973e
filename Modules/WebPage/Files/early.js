// Requests that are made while the scripts are still being loaded: the record in the address, its first tiles, and
// their thumbnails. This script is part of the document, so that its requests are the first ones.
'use strict';

(() => {
  // The page is drawn in the colours that the user has chosen for it (theme.js).
  document.documentElement.dataset.theme = localStorage.getItem('imgdl-theme') ?? 'system';

  const blockSize = 256;
  const groupSize = 64;
  const found = /^\/records\/([1-9][0-9]*)(\/[0-9]+)?$/.exec(location.pathname);
  const isNatural = !/[?&](show|sort)=/.test(location.search);
  const responses = new Map();
  let firstThumbnails;

  function begin(path, response) {
    // The caller of `take` handles a failure.
    response.catch(() => {});
    responses.set(path, response);
  }

  /** Requests the thumbnails of the first tiles of a view, before the page reads the response. */
  async function loadFirstThumbnails(response) {
    if (!response.ok) return;
    const { ids, thumbnails } = (await response.clone().json()).tiles;
    const keys = ids.map((id, place) => `${id}.${thumbnails[place]}`).slice(0, groupSize);
    if (!keys.every((key) => !key.endsWith('.'))) return;
    firstThumbnails = { keys, response: fetch(thumbnailsPath(keys)) };
    firstThumbnails.response.catch(() => {});
  }

  function thumbnailsPath(keys) {
    return `/v1/thumbnails?of=${keys.join()}`;
  }

  if (found && isNatural) {
    const views = `/v1/records/${found[1]}/views`;
    begin(views, fetch(views, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ tiles: blockSize }),
    }).then(async (response) => {
      await loadFirstThumbnails(response).catch(() => {});
      return response;
    }));
    const record = `/v1/records/${found[1]}`;
    begin(record, fetch(record));
  }

  // The scripts that the page imports are requested after that.
  document.head.append(document.getElementById('modules').content);

  window.early = {
    /** The number of tiles in a request. */
    blockSize,
    /** The number of thumbnails in a request. */
    groupSize,
    /** Returns the address of the thumbnails of these resources, each as `ID.VERSION`. */
    thumbnailsPath,
    /** Returns the response to an early request, once; undefined if there is none. */
    take(path) {
      const response = responses.get(path);
      responses.delete(path);
      return response;
    },
    /** Returns the request for the first thumbnails, once: their `keys` and the `response`; undefined if there is none. */
    takeThumbnails() {
      const taken = firstThumbnails;
      firstThumbnails = undefined;
      return taken;
    },
  };
})();
