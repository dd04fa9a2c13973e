// Gestures of fingers and mice that browsers do not report themselves.

/** The duration in milliseconds of a long press. */
const longPressTime = 500;
/** The movement in pixels that cancels a long press. */
const tolerance = 10;
/** The distance in pixels of a pull that refreshes a list. */
const pullDistance = 80;

/**
 * Calls `lift` with the element under a long press that matches the selector, and `release`, if given, when a finger
 * then leaves it there. The click at the end of the press is suppressed.
 */
export function onLongPress(container, selector, lift, release) {
  let timer = null;
  let start = null;
  let isLong = false;
  const cancel = () => {
    clearTimeout(timer);
    start = null;
  };
  container.addEventListener('pointerdown', (event) => {
    const target = event.target.closest(selector);
    isLong = false;
    if (!target || !event.isPrimary || event.button !== 0) return;
    start = { x: event.clientX, y: event.clientY, target };
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!start) return;
      isLong = true;
      lift(target);
    }, longPressTime);
  });
  container.addEventListener('pointermove', (event) => {
    if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > tolerance) cancel();
  });
  container.addEventListener('pointerup', (event) => {
    // Only then does the browser not take the finger for one that closes the menu.
    if (release && isLong && start && event.pointerType === 'touch') setTimeout(release, 0, start.target, start);
    cancel();
  });
  for (const name of ['pointercancel', 'scroll']) container.addEventListener(name, cancel);
  container.addEventListener('click', (event) => {
    if (!isLong) return;
    isLong = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
  // The browser's own menu would end the press, and the page's belongs to the right button.
  container.addEventListener('contextmenu', (event) => {
    if (!start && !isLong) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
}

/** Calls `open` with the element below the right button of the mouse and the place, or with nothing for the menu key. */
export function onMenu(container, selector, open) {
  container.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    const target = event.target.closest(selector);
    if (target) open(target, { x: event.clientX, y: event.clientY });
    else open();
  });
}

/** Calls `refresh` after a pull by `pullDistance` beyond the top; the class "pulled" marks such a list. */
export function onPull(list, refresh) {
  let start = null;
  let distance = 0;
  list.addEventListener('touchstart', (event) => {
    start = list.scrollTop <= 0 && event.touches.length === 1 ? event.touches[0].clientY : null;
    distance = 0;
  }, { passive: true });
  list.addEventListener('touchmove', (event) => {
    if (start === null) return;
    distance = event.touches[0].clientY - start;
    list.classList.toggle('pulled', distance > pullDistance);
  }, { passive: true });
  const end = () => {
    if (start !== null && distance > pullDistance) refresh();
    start = null;
    list.classList.remove('pulled');
  };
  list.addEventListener('touchend', end);
  list.addEventListener('touchcancel', end);
}
