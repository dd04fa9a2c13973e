// Menus: beside the button or the pointer that opens them, and in a narrow window a sheet at its bottom.

import { element } from './elements.js';
import { icon } from './icons.js';

/** Pixels between a menu and the edges of the window. */
const margin = 8;
let openMenu = null;

/**
 * Shows a menu. Its keys are those of the ARIA pattern; a click beside it and Escape close it.
 * @param {string} label The name of the menu for screen readers, which a sheet shows as its heading.
 * @param {({text: string, icon?: string, key?: string, press: () => void, isDisabled?: boolean, isDangerous?: boolean,
 *   isChosen?: boolean} | null)[]} items The items; null is a line between groups.
 * @param {Element | {x: number, y: number}} place The element or the point beside which the menu appears.
 */
export function showMenu(label, items, place) {
  openMenu?.hidePopover();
  const former = document.activeElement;
  const menu = element('div', { className: 'menu', role: 'menu', ariaLabel: label, popover: 'auto' });
  const close = () => menu.hidePopover();
  menu.append(
    element('p', { className: 'heading', ariaHidden: 'true', textContent: label }),
    ...items.map((item) => (item ? createItem(item, close) : element('hr', { role: 'separator' }))));
  menu.addEventListener('keydown', (event) => pressKey(event, menu, close));
  menu.addEventListener('toggle', ({ newState }) => {
    if (newState === 'open') return;
    const hadFocus = menu.contains(document.activeElement) || document.activeElement === document.body;
    menu.remove();
    if (openMenu === menu) openMenu = null;
    if (hadFocus) former?.focus({ preventScroll: true });
  });
  document.body.append(menu);
  openMenu = menu;
  menu.showPopover();
  put(menu, place);
  itemsOf(menu)[0]?.focus({ preventScroll: true });
}

function createItem({ text, icon: name, key, press, isDisabled, isDangerous, isChosen }, close) {
  const isChoice = isChosen !== undefined;
  const item = element('button', {
    type: 'button', className: isDangerous ? 'item dangerous' : 'item', disabled: isDisabled ?? false, tabIndex: -1,
    role: isChoice ? 'menuitemradio' : 'menuitem',
    onclick: () => {
      close();
      press();
    },
  }, [
    icon(isChosen === false ? 'more' : name ?? 'check'), element('span', { textContent: text }),
    ...(key ? [element('kbd', { textContent: key, ariaHidden: 'true' })] : []),
  ]);
  if (isChoice) item.ariaChecked = isChosen;
  return item;
}

function itemsOf(menu) {
  return [...menu.querySelectorAll('.item:not(:disabled)')];
}

/** Places a menu below an element, their ends aligned, or at a point, and inside of the window. */
function put(menu, place) {
  const { width, height } = menu.getBoundingClientRect();
  const box = place.getBoundingClientRect?.() ?? new DOMRect(place.x, place.y, width, 0);
  const within = (wanted, length, room) => `${Math.max(margin, Math.min(wanted, room - length - margin))}px`;
  menu.style.setProperty('--top', within(box.bottom, height, innerHeight));
  menu.style.setProperty('--left', within(box.right - width, width, innerWidth));
}

/** The keys of an open menu are not those of the screen. */
function pressKey(event, menu, close) {
  event.stopPropagation();
  const items = itemsOf(menu);
  const place = items.indexOf(document.activeElement);
  const moves = {
    ArrowDown: (place + 1) % items.length, ArrowUp: (place + items.length - 1) % items.length, Home: 0,
    End: items.length - 1,
  };
  if (event.key in moves) items[moves[event.key]]?.focus();
  else if (event.key === 'Escape' || event.key === 'Tab') close();
  else return;
  event.preventDefault();
}
