// Requests to imgdld. A page has a session, whose cookie the browser sends by itself.

/** A refusal of imgdld (RFC 9457), or no response: `code` is then "away". */
export class Problem extends Error {
  constructor(status, code, detail) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

/**
 * Makes a request and returns the body of the response, or null without one.
 * @param {Promise<Response>} [early] The response to this request, if it was made before.
 * @throws {Problem}
 */
export function call(method, path, body, early) {
  return request(path, {
    early,
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** Uploads a file or a text, to be previewed and then added as a source. */
export function upload(file, name) {
  // imgdld refuses request targets with control characters.
  const safe = name.replace(/[\u0000-\u001f\u007f]/g, '_');
  return request(`/v1/sources/upload?name=${encodeURIComponent(safe)}`, {
    method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: file,
  });
}

/** Tells the page that the browser is not logged in any more. */
export function reportEndedSession() {
  dispatchEvent(new Event('imgdl-session-ended'));
}

async function request(path, options) {
  let response;
  try {
    response = await (options.early ?? fetch(path, options));
  } catch {
    throw new Problem(0, 'away', 'imgdld does not respond');
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  const { code = 'unknown', detail = `status ${response.status}` } = answer ?? {};
  if (response.status === 401) reportEndedSession();
  throw new Problem(response.status, code, detail);
}

/** Makes up to 100 requests in one, and returns the body of each; null for one that failed. */
export async function batch(paths) {
  const { answers } = await call('POST', '/v1/batch', { calls: paths.map((path) => ({ path })) });
  return answers.map(({ status, body }) => (status === 200 ? body : null));
}
