// An image that is zoomed, moved and turned in a box, by mouse, fingers and keys.

/** The distance in pixels from which a movement of the finger is a swipe. */
const swipe = 60;
const largestScale = 16;

export class Zoom {
  /**
   * @param {(step: number) => void} actions.onSwipe Called with 1 or -1 for swipes that do not pan.
   * @param {(step: number) => void} [actions.onWheel] Called for wheel turns that do not pan.
   */
  constructor(box, picture, { onSwipe, onWheel = onSwipe }) {
    Object.assign(this, { box, picture, onSwipe, onWheel });
    this.turns = 0;
    /** "fit", "width", or the number of screen pixels per image pixel. */
    this.mode = 'fit';
    this.offset = { x: 0, y: 0 };
    this.fingers = new Map();
    box.addEventListener('pointerdown', (event) => this.#press(event));
    box.addEventListener('pointermove', (event) => this.#move(event));
    for (const name of ['pointerup', 'pointercancel']) {
      box.addEventListener(name, (event) => this.#release(event));
    }
    box.addEventListener('wheel', (event) => this.#turnWheel(event), { passive: false });
    box.addEventListener('dblclick', (event) => {
      this.zoomTo(this.scale === 1 ? 'fit' : 1, { x: event.clientX, y: event.clientY });
    });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  /** Shows another image from its top, with the same rotation; a numeric scale becomes "fit". */
  reset() {
    if (typeof this.mode === 'number') this.mode = 'fit';
    this.offset = { x: 0, y: Infinity };
    this.draw();
  }

  /** The size of the rotated image in image pixels. */
  get #size() {
    const { picture } = this;
    const [width, height] = [picture.naturalWidth ?? picture.width, picture.naturalHeight ?? picture.height];
    return this.turns % 2 === 0 ? { width, height } : { width: height, height: width };
  }

  get scale() {
    const { width, height } = this.#size;
    const across = this.box.clientWidth / Math.max(1, width);
    if (this.mode === 'width') return across;
    if (this.mode !== 'fit') return this.mode;
    const whole = Math.min(across, this.box.clientHeight / Math.max(1, height));
    return this.enlarges ? whole : Math.min(1, whole);
  }

  /** The distance by which the image can be moved from the middle, in each direction. */
  get #room() {
    const { width, height } = this.#size;
    // Less than a pixel is an error of rounding.
    const half = (length) => (length < 1 ? 0 : length / 2);
    return {
      x: half(width * this.scale - this.box.clientWidth), y: half(height * this.scale - this.box.clientHeight),
    };
  }

  get isMovable() {
    const { x, y } = this.#room;
    return x > 0 || y > 0;
  }

  draw() {
    const { scale } = this;
    const room = this.#room;
    this.offset.x = Math.max(-room.x, Math.min(this.offset.x, room.x));
    this.offset.y = Math.max(-room.y, Math.min(this.offset.y, room.y));
    this.picture.style.transform = `translate(-50%, -50%) translate(${this.offset.x}px, ${this.offset.y}px) `
      + `rotate(${this.turns * 90}deg) scale(${scale})`;
    this.picture.style.imageRendering = scale >= 3 ? 'pixelated' : '';
  }

  /**
   * Changes the scale.
   * @param {number | "fit" | "width"} mode
   * @param {{x: number, y: number}} [point] The point of the window that stays in place.
   */
  zoomTo(mode, point) {
    const old = this.scale;
    this.mode = typeof mode === 'number' ? Math.max(0.05, Math.min(mode, largestScale)) : mode;
    const box = this.box.getBoundingClientRect();
    const factor = this.scale / old;
    const [x, y] = point
      ? [point.x - box.left - box.width / 2, point.y - box.top - box.height / 2] : [0, 0];
    // What is as wide as the box is read from its top.
    this.offset = mode === 'width' ? { x: 0, y: Infinity }
      : { x: x + (this.offset.x - x) * factor, y: y + (this.offset.y - y) * factor };
    this.draw();
  }

  rotate() {
    this.turns = (this.turns + 1) % 4;
    this.draw();
  }

  /** Performs a command. Returns whether it concerns the zoom. */
  perform(command) {
    const step = this.box.clientHeight / 8;
    const actions = {
      zoomIn: () => this.zoomTo(this.scale * 1.25),
      zoomOut: () => this.zoomTo(this.scale * 0.8),
      fit: () => this.zoomTo(this.mode === 'fit' ? 'width' : 'fit'),
      rotate: () => this.rotate(),
    };
    const moves = { left: [step, 0], right: [-step, 0], up: [0, step], down: [0, -step] };
    if (command in moves && this.isMovable) {
      // At the end of an image that fits to the width, the keys turn to the next one.
      return this.#moveBy(...moves[command]) || typeof this.mode === 'number';
    }
    actions[command]?.();
    return command in actions;
  }

  /** Moves the image, as far as it can be moved. Returns whether it moved. */
  #moveBy(x, y) {
    const before = { ...this.offset };
    this.offset = { x: before.x + x, y: before.y + y };
    this.draw();
    return this.offset.x !== before.x || this.offset.y !== before.y;
  }

  #press(event) {
    if (event.button !== 0) return;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.start = { x: event.clientX, y: event.clientY, isMoved: false };
    if (this.isMovable) this.box.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [x, y] = [event.clientX - finger.x, event.clientY - finger.y];
    const before = this.#spread;
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    if (this.fingers.size > 1) {
      this.start = null;
      const after = this.#spread;
      this.zoomTo(this.scale * after.distance / Math.max(1, before.distance), after.middle);
    } else if (this.#moveBy(x, y) && this.start) {
      this.start.isMoved = true;
    }
  }

  /** The distance of two fingers, and the point in their middle. */
  get #spread() {
    const [one, other] = [...this.fingers.values()];
    if (!other) return { distance: 1, middle: one };
    return {
      distance: Math.hypot(one.x - other.x, one.y - other.y),
      middle: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
    };
  }

  #release(event) {
    this.fingers.delete(event.pointerId);
    if (!this.start || event.type === 'pointercancel' || this.fingers.size > 0) return;
    const [x, y] = [event.clientX - this.start.x, event.clientY - this.start.y];
    const isSwipe = Math.abs(x) > swipe && Math.abs(x) > 2 * Math.abs(y);
    if (isSwipe && !(this.start.isMoved && this.#room.x > 0) && event.pointerType !== 'mouse') {
      this.onSwipe(x < 0 ? 1 : -1);
    }
    this.start = null;
  }

  #turnWheel(event) {
    event.preventDefault();
    if (event.ctrlKey) {
      this.zoomTo(this.scale * 2 ** (-event.deltaY / 200), { x: event.clientX, y: event.clientY });
      return;
    }
    if (this.isMovable && this.#moveBy(-event.deltaX, -event.deltaY)) return;
    this.turned = (this.turned ?? 0) + event.deltaY;
    // A notch of a wheel is 100 pixels or more; a touch pad sends many small steps.
    if (Math.abs(this.turned) < 50) return;
    this.onWheel(Math.sign(this.turned));
    this.turned = 0;
  }
}
