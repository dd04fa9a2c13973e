// The rate of the last two minutes as a line.

/** The milliseconds that the line covers, and those between two of its points. */
const [covered, interval] = [120_000, 1000];
const [width, height] = [120, 24];
const space = 'http://www.w3.org/2000/svg';

/** The rates and their times, which stay known when another screen is shown. */
const samples = [];

export class RateGraph {
  constructor() {
    this.line = document.createElementNS(space, 'polyline');
    this.element = document.createElementNS(space, 'svg');
    this.element.setAttribute('class', 'graph');
    this.element.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.element.setAttribute('aria-hidden', 'true');
    this.element.append(this.line);
    this.draw();
  }

  /** Adds a rate in bytes per second. */
  add(rate, now = performance.now()) {
    if (now - (samples.at(-1)?.now ?? -interval) < interval) return;
    samples.push({ now, rate });
    while (now - samples[0].now > covered) samples.shift();
    this.draw(now);
  }

  draw(now = performance.now()) {
    const largest = Math.max(1, ...samples.map(({ rate }) => rate));
    const points = samples.map(({ now: time, rate }) => [
      width * (1 - (now - time) / covered), 2 + (height - 4) * (1 - rate / largest),
    ].map((value) => value.toFixed(1)).join());
    this.element.toggleAttribute('hidden', largest === 1 || samples.length < 4);
    this.line.setAttribute('points', points.join(' '));
  }
}
