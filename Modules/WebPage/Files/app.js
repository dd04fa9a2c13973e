// The page: the address chooses the screen, and a banner shows the state of the connection.

import { call } from './api.js';
import { element } from './elements.js';
import { connection, listen, start } from './live.js';
import { RecordsScreen } from './records.js';

const view = document.getElementById('view');
const banner = document.getElementById('banner');
let screen = null;

function show(text, kind = '') {
  banner.textContent = text;
  banner.dataset.kind = kind;
  banner.hidden = text === '';
}

/** Shows why the page can do nothing without a session. */
function showLoggedOut(reason) {
  screen?.close();
  screen = null;
  document.title = 'imgdl';
  view.ariaBusy = 'false';
  view.replaceChildren(element('div', { className: 'empty' }, [
    element('h1', { textContent: 'imgdl' }),
    element('p', { textContent: reason }),
    element('p', {}, ['Run ', element('kbd', { textContent: 'imgdl-cli web' }),
      ' and open the link that it prints.']),
  ]));
}

/** Exchanges the token in the address for a session, and removes it from the address and the history. */
async function logIn(token) {
  history.replaceState(null, '', '/');
  try {
    await call('POST', '/v1/login', { token });
  } catch (problem) {
    if (problem.status !== 401) throw problem;
    // The browser may have a session from before.
    await call('GET', '/v1');
  }
}

async function open() {
  try {
    if (location.pathname === '/login') await logIn(location.hash.slice(1));
    else await call('GET', '/v1');
  } catch (problem) {
    if (problem.status === 401) return;
    show('imgdld does not respond. Trying again…', 'away');
    setTimeout(open, 2000);
    return;
  }
  show('');
  screen = new RecordsScreen(view);
  listen(({ kind, state }) => {
    if (kind !== 'connection') return;
    document.body.classList.toggle('away', state === 'away');
    show(state === 'away' ? 'imgdld does not respond. Trying again…' : '', 'away');
    // A refused stream looks like a lost one; a request tells them apart.
    if (state === 'away') call('GET', '/v1').catch(() => {});
  });
  start();
}

addEventListener('imgdl-session-ended', () => showLoggedOut('This browser is not logged in.'));

let hiding;
addEventListener('imgdl-problem', ({ detail }) => {
  show(detail, 'error');
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    if (connection() !== 'away') show('');
  }, 8000);
});

addEventListener('keydown', (event) => {
  const isText = event.target.matches('input:not([type=range]), select, textarea');
  if (event.key === 'Escape' && isText) event.target.blur();
  if (isText || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector('dialog[open]')) return;
  if (screen?.press(event.key)) event.preventDefault();
});

open();
