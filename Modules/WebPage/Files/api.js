// Requests to imgdld. A page has a session, whose cookie the browser sends by itself.

/** A refusal of imgdld (RFC 9457), or the lack of an answer: then `code` is "away". */
export class Problem extends Error {
  constructor(status, code, detail) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

/**
 * Makes a request and returns the body of the response, or null without one.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @throws {Problem}
 */
export async function call(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Problem(0, 'away', 'imgdld does not respond');
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  const { code = 'unknown', detail = `status ${response.status}` } = answer ?? {};
  if (response.status === 401) dispatchEvent(new Event('imgdl-session-ended'));
  throw new Problem(response.status, code, detail);
}

/** Makes up to 100 requests in one, and returns the body of each; null for one that failed. */
export async function batch(paths) {
  const { answers } = await call('POST', '/v1/batch', { calls: paths.map((path) => ({ path })) });
  return answers.map(({ status, body }) => (status === 200 ? body : null));
}
