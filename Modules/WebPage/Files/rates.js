// The rates of records, estimated from their progress.

import { duration, rate } from './text.js';

/** Milliseconds after which the rate of a record without progress is not shown any more. */
export const rateTime = 3000;

export class Rates {
  samples = new Map();

  /** Keeps a record's byte counts of the last 8 s, from which its rate is estimated. */
  add({ id, bytes: count, fraction }, now) {
    const samples = this.samples.get(id) ?? [];
    samples.push({ now, count, fraction });
    while (samples.length > 2 && now - samples[0].now > 8000) samples.shift();
    this.samples.set(id, samples);
  }

  /** The rate and the remaining time of a record, whose progress is part of that of the library; empty without one. */
  of(id, progress) {
    const samples = this.samples.get(id);
    const none = { rate: '', left: '' };
    // Without a transfer, such as after the end of the engine, the samples are outdated.
    if (!samples || !progress?.active.length) return none;
    if (!progress.records.some((record) => record.id === id)) return none;
    const [first, last] = [samples[0], samples[samples.length - 1]];
    const seconds = (last.now - first.now) / 1000;
    if (seconds < 1 || performance.now() - last.now >= rateTime) return none;
    const left = ((1 - last.fraction) * seconds) / (last.fraction - first.fraction);
    return { rate: rate((last.count - first.count) / seconds), left: duration(left) };
  }
}
