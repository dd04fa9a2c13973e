// Requests that are made while the other scripts are still being loaded: the record in the address, its first
// tiles, and their thumbnails. This script has no imports, so that it runs first.

/** The number of tiles in a request. */
export const blockSize = 256;
/** The number of thumbnails in a request. */
export const groupSize = 64;

const found = /^\/records\/([1-9][0-9]*)(\/[0-9]+)?$/.exec(location.pathname);
const isNatural = !/[?&](show|sort)=/.test(location.search);
const early = new Map();

function begin(path, options) {
  const response = fetch(path, options);
  // The caller of `takeEarly` handles a failure.
  response.catch(() => {});
  early.set(path, response);
  return response;
}

async function loadFirstThumbnails(response) {
  if (!response.ok) return;
  const { ids, thumbnails } = (await response.clone().json()).tiles;
  const keys = ids.map((id, place) => `${id}.${thumbnails[place]}`).slice(0, groupSize);
  if (keys.every((key) => !key.endsWith('.'))) begin(thumbnailsPath(keys));
}

if (found && isNatural) {
  begin(`/v1/records/${found[1]}/views`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ tiles: blockSize }),
  }).then(loadFirstThumbnails).catch(() => {});
  begin(`/v1/records/${found[1]}`);
}

/** The address of the thumbnails of these resources, each as `ID.VERSION`. */
export function thumbnailsPath(keys) {
  return `/v1/thumbnails?of=${keys.join()}`;
}

/** Returns the response to an early request, once; undefined if there is none. */
export function takeEarly(path) {
  const response = early.get(path);
  early.delete(path);
  return response;
}
