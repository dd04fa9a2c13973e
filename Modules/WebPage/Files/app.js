// The page: the address chooses the screen, and a banner shows the state of the connection.

import { call } from './api.js';
import { element } from './elements.js';
import { icon } from './icons.js';
import { listen, start } from './live.js';
import { visible } from './text.js';

/** The screens; only the one in the address is loaded at the start. */
const screens = {
  records: async () => (await import('./records.js')).RecordsScreen,
  resources: async () => (await import('./resources.js')).ResourcesScreen,
  details: async () => (await import('./details.js')).DetailsScreen,
  slices: async () => (await import('./slices.js')).SlicesScreen,
  hosts: async () => (await import('./hosts.js')).HostsScreen,
};

const view = document.getElementById('view');
const banner = document.getElementById('banner');
let screen = null;

function show(text, kind = 'away') {
  banner.textContent = text;
  banner.dataset.kind = kind;
  banner.hidden = text === '';
}

const away = 'imgdld does not respond. Trying again…';

/** Shows why all data may be outdated, and fades them; an empty reason ends that. */
function showAway(reason) {
  document.body.classList.toggle('away', reason !== '');
  show(reason);
}

/** Replaces the screen by the reason why there is none, and by what the user can do. */
function showReason(reason, advice) {
  screen?.close();
  screen = null;
  document.title = 'imgdl';
  view.ariaBusy = 'false';
  view.replaceChildren(element('div', { className: 'empty' }, [
    element('h1', { textContent: 'imgdl' }), element('p', { textContent: reason }), element('p', {}, advice),
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
    // The browser may have an earlier, valid session.
    await call('GET', '/v1');
  }
}

/** Changes the address, and shows the screen that it names. */
const router = {
  open(address) {
    history.pushState(null, '', address);
    route();
  },
  replace(address) {
    history.replaceState(null, '', address);
  },
  /** Replaces the screen of a record that was removed, so that nothing of it looks alive. */
  showMissing() {
    loadOthers();
    showReason('This record does not exist.', [element('a', { href: '/', textContent: 'Records' })]);
  },
};

/**
 * Shows the screen of the address: `/`, `/hosts`, `/records/RECORD`, and below the latter `/PLACE`,
 * `/details`, `/slices` and `/slices/PLACE`.
 */
async function route() {
  const address = location.href;
  const [, first, record, third, fourth] = location.pathname.split('/');
  const isRecord = first === 'records' && isNumber(record);
  let [name, place] = ['records', null];
  if (first === 'hosts') name = 'hosts';
  else if (isRecord && third === 'details') name = 'details';
  else if (isRecord && third === 'slices') [name, place] = ['slices', fourth];
  else if (isRecord) [name, place] = ['resources', third];
  else if (first) return router.showMissing();
  let Screen;
  try {
    Screen = await screens[name]();
  } catch {
    show(away);
    setTimeout(route, 2000);
    return;
  }
  loadOthers();
  // The address may have changed while the screen was loaded.
  if (location.href !== address) return;
  const isSame = screen instanceof Screen && (!isRecord || screen.record === Number(record));
  if (!isSame) {
    screen?.close();
    document.title = 'imgdl';
    view.ariaBusy = 'true';
    screen = isRecord ? new Screen(view, Number(record), router) : new Screen(view, router);
  }
  // A place that cannot exist is removed from the address.
  if (place && !isNumber(place)) {
    history.replaceState(history.state, '', location.pathname.slice(0, -place.length - 1) + location.search);
  }
  screen.show?.(isNumber(place) ? Number(place) : null);
}

function isNumber(text) {
  return /^[1-9][0-9]{0,14}$/.test(text ?? '');
}

addEventListener('popstate', route);

async function open() {
  if (location.pathname === '/login') {
    try {
      await logIn(location.hash.slice(1));
    } catch (problem) {
      if (problem.status === 401) return;
      show(away);
      setTimeout(open, 2000);
      return;
    }
    show('');
  }
  route();
  let isStopped = false;
  listen(({ kind, state, event }) => {
    if (kind === 'event') {
      const { kind: name, reason } = event;
      const wasStopped = isStopped;
      // A full disk ends the engine; the first event of the next engine ends the banner.
      isStopped = name === 'stopped';
      if (isStopped) showAway(`Downloads have stopped: ${visible(reason)}`);
      else if (wasStopped) showAway('');
      if (name === 'problem') showBriefly(reason, 'error');
      if (name === 'wasReset') showBriefly('The library was reset.');
    }
    if (kind !== 'connection') return;
    // Without a session, the page shows no data that could be outdated.
    showAway(state === 'away' && screen ? away : '');
    // A stream does not report status 401, but this request does.
    if (state === 'away') call('GET', '/v1').catch(() => {});
    // The browser was logged in from another tab.
    else if (state === 'live' && !screen) route();
  });
  start();
}

addEventListener('imgdl-session-ended', () => {
  showAway('');
  showReason('This browser is not logged in.', [
    'Run ', element('kbd', { textContent: 'imgdl-cli web' }), ' and open the link that it prints. A link works once, within 60 seconds.',
  ]);
});

let hiding;
function showBriefly(text, kind) {
  show(visible(text), kind);
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    if (!document.body.classList.contains('away')) show('');
  }, 8000);
}

addEventListener('imgdl-problem', ({ detail }) => showBriefly(detail, 'error'));

const titles = {
  records: 'Records', resources: 'Images of a record', details: 'Image Details', viewer: 'Viewer', slices: 'Slices',
  hosts: 'Hosts',
};

const gestures = {
  records: [['Click', 'Select; on the cover or the title: open'], ['Hold', 'Lift a record']],
  resources: [
    ['Click', 'Open'], ['Hold', 'Lift an image'],
    ['Space, Ctrl-Click, Click when lifted', 'Mark an image for Reload and Retry'],
    ['Ctrl-A', 'Mark everything that matches'], ['Pull down', 'Refresh'],
  ],
  viewer: [['Swipe, wheel', 'Next or previous image'], ['Pinch, Ctrl-wheel', 'Zoom'], ['Double click', 'Pixels']],
  slices: [['Swipe, wheel, drag', 'Next or previous slice'], ['Pinch, Ctrl-wheel', 'Zoom']],
  details: [['Click', 'On a heading: sort'], ['Double click', 'Open']],
};

async function help() {
  const { showHelp } = await import('./keyboard.js');
  if (screen) showHelp(screen.place, titles[screen.place], gestures[screen.place]);
}

addEventListener('imgdl-help', help);

// The scripts of the first screen are loaded first.
let keyboard;
let areOthersLoading = false;

async function loadKeys() {
  keyboard = await import('./keyboard.js');
}

function loadOthers() {
  if (areOthersLoading) return;
  areOthersLoading = true;
  loadKeys().catch(() => {});
  window.requestIdleCallback?.(() => {
    for (const load of Object.values(screens)) load().catch(() => {});
    for (const name of ['add', 'viewer']) import(`./${name}.js`).catch(() => {});
  }, { timeout: 5000 });
}

/** The elements that use keys and pasted text themselves. */
const textFields = 'input:not([type=range]), select, textarea';

addEventListener('keydown', async (event) => {
  const { target, key } = event;
  const isText = target.matches(textFields);
  // While an input method composes, its keys are not those of the page.
  if (key === 'Escape' && isText && !event.isComposing && event.keyCode !== 229) target.blur();
  if (isText || event.defaultPrevented || !screen || document.querySelector('dialog[open]')) return;
  // Buttons and links handle Enter and Space, and sliders the arrows.
  if ((key === 'Enter' || key === ' ') && target.closest('button, a')) return;
  const isMovement = /^(Arrow|Page|Home|End)/.test(key);
  if (isMovement && target.matches('[type=range]') && screen.place !== 'slices') return;
  if (!keyboard) await loadKeys();
  const command = keyboard.commandFor(event, screen?.place);
  if (!command) return;
  if (!event.repeat || keyboard.isRepeatable(command)) {
    if (command === 'help') help();
    else if (!screen.perform(command)) return;
  }
  event.preventDefault();
});

async function add(given) {
  const { askForSources } = await import('./add.js');
  askForSources(given);
}

// Pasting text or dropping files anywhere opens the Add dialog.
addEventListener('paste', (event) => {
  if (event.target.matches(textFields) || document.querySelector('dialog[open]') || !screen) return;
  const { files } = event.clipboardData;
  const text = event.clipboardData.getData('text');
  if (files[0] || text.trim()) add({ text, files: [...files] });
});

let isOwnDrag = false;
addEventListener('dragstart', () => { isOwnDrag = true; });
addEventListener('dragend', () => { isOwnDrag = false; });

/** What is shown while something that can be added is dragged over the page. */
const dropTarget = element('div', { className: 'drop' }, [icon('save'), 'Drop to add']);
addEventListener('dragover', (event) => {
  event.preventDefault();
  if (!isOwnDrag && screen && !document.querySelector('dialog[open]')) document.body.append(dropTarget);
});
addEventListener('dragleave', ({ relatedTarget }) => { if (!relatedTarget) dropTarget.remove(); });

addEventListener('drop', (event) => {
  event.preventDefault();
  dropTarget.remove();
  // A link or an image of the page itself is nothing to add.
  if (isOwnDrag || document.querySelector('dialog[open]') || !screen) return;
  const { files } = event.dataTransfer;
  const text = event.dataTransfer.getData('text/uri-list') || event.dataTransfer.getData('text');
  if (files[0]) add({ files: [...files] });
  else if (text) add({ text });
});

open();
