// Gestures of fingers and mice that browsers do not report themselves.

/** The time in milliseconds after which a press is a long one. */
const longPressTime = 500;
/** The movement in pixels that makes a press something else. */
const tolerance = 10;
/** The distance in pixels by which a list is pulled to refresh it. */
const pullDistance = 80;

/**
 * Calls `lift` with the element under a long press that matches the selector. The click that ends the press is
 * swallowed.
 */
export function onLongPress(container, selector, lift) {
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
    start = { x: event.clientX, y: event.clientY };
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
  for (const name of ['pointerup', 'pointercancel', 'scroll']) container.addEventListener(name, cancel);
  container.addEventListener('click', (event) => {
    if (!isLong) return;
    isLong = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
  container.addEventListener('contextmenu', (event) => { if (isLong) event.preventDefault(); });
}

/** Calls `refresh` when a finger pulls a list beyond its beginning. The list has the class "pulled" meanwhile. */
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
