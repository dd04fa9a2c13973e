// The cine of a series: a step at a fixed rate, whatever the rate of the display.

const frameRates = [5, 10, 15, 24, 30];

export class Cine {
  /** The number of steps that were skipped because the display was late. */
  dropped = 0;
  #rate = frameRates.length - 1;
  #frame = 0;

  /** Calls `onSteps(count)` when it is time for one or more steps. */
  constructor(onSteps) {
    this.onSteps = onSteps;
  }

  get isPlaying() { return this.#frame !== 0; }

  /** The number of steps per second. */
  get frameRate() { return frameRates[this.#rate]; }

  start() {
    this.stop();
    let due = performance.now();
    const step = (now) => {
      this.#frame = requestAnimationFrame(step);
      const interval = 1000 / this.frameRate;
      // Animation frames may be slightly early.
      if (now < due - 2) return;
      const steps = 1 + Math.floor(Math.max(0, now - due) / interval);
      this.dropped += steps - 1;
      due += steps * interval;
      this.onSteps(steps);
    };
    this.#frame = requestAnimationFrame(step);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.dropped = 0;
  }

  /** Takes a higher or lower rate. */
  changeRate(change) {
    this.#rate = Math.max(0, Math.min(this.#rate + change, frameRates.length - 1));
    if (this.isPlaying) this.start();
  }
}
