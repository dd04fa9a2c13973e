// The page: the address chooses the screen, and a banner shows the state of the connection.

import { call } from './api.js';
import { element } from './elements.js';
import { connection, listen, start } from './live.js';
import { RecordsScreen } from './records.js';
import { ResourcesScreen } from './resources.js';

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
  document.body.classList.remove('away');
  show('');
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
  try {
    await call('POST', '/v1/login', { token });
    history.replaceState(null, '', '/');
  } catch (problem) {
    if (problem.status !== 401) throw problem;
    history.replaceState(null, '', '/');
    // The browser may have a session from before.
    await call('GET', '/v1');
  }
}

/** Changes the address, and shows what it names. */
const router = {
  open(address) {
    history.pushState(null, '', address);
    route();
  },
  replace(address) {
    history.replaceState(null, '', address);
  },
};

/** Shows the screen of the address: `/`, `/records/RECORD` or `/records/RECORD/PLACE`. */
function route() {
  const [, first, record, place] = location.pathname.split('/');
  if (first === 'records' && /^[1-9][0-9]*$/.test(record ?? '')) {
    if (!(screen instanceof ResourcesScreen) || screen.record !== Number(record)) {
      screen?.close();
      view.ariaBusy = 'true';
      screen = new ResourcesScreen(view, Number(record), router);
    }
    screen.show(/^[1-9][0-9]*$/.test(place ?? '') ? Number(place) : null);
  } else if (!(screen instanceof RecordsScreen)) {
    screen?.close();
    document.title = 'imgdl';
    view.ariaBusy = 'true';
    screen = new RecordsScreen(view, router);
  }
}

addEventListener('popstate', () => { if (screen) route(); });

async function open() {
  if (location.pathname === '/login') {
    try {
      await logIn(location.hash.slice(1));
    } catch (problem) {
      if (problem.status === 401) return;
      show('imgdld does not respond. Trying again…', 'away');
      setTimeout(open, 2000);
      return;
    }
    show('');
  }
  route();
  listen(({ kind, state }) => {
    if (kind !== 'connection') return;
    // A page without a session has nothing that could be outdated.
    const isAway = state === 'away' && screen !== null;
    document.body.classList.toggle('away', isAway);
    show(isAway ? 'imgdld does not respond. Trying again…' : '', 'away');
    // A refused stream looks like a lost one; a request tells them apart.
    if (state === 'away') call('GET', '/v1').catch(() => {});
    // The browser was logged in again, in another tab.
    else if (state === 'live' && !screen) route();
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
