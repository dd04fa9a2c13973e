// What a screen does when its library changes.

import { listen } from './live.js';

/** The time in milliseconds for which changes are collected before they are read again. */
const collectingTime = 250;

/** The events without a record, which concern every record. */
const ofLibrary = new Set(['paused', 'resumed', 'retried']);

/**
 * Calls `event`, `progress` and `status` with what comes from now on, and `renew` when everything that was read may
 * be outdated: after a lost connection and after a gap in the events. Returns a function that ends that.
 */
export function followLibrary({ renew, event, progress, status }) {
  let wasAway = false;
  return listen((message) => {
    switch (message.kind) {
      case 'connection':
        if (message.state !== 'away' && wasAway) renew();
        wasAway = message.state === 'away';
        break;
      case 'snapshot':
        status?.(message.status);
        if (message.followsGap) renew();
        break;
      case 'progress':
        progress?.(message.progress);
        break;
      case 'event':
        event(message.event);
        break;
    }
  });
}

/**
 * Follows a record: calls `renew` also when it has new entries, `gone` when it does not exist any more, and `reread`
 * with the set of its changed resources, or with null if any may have changed. The result has `stop()`, and
 * `fail(problem)` for a record that cannot be read: it is gone, or is read again in two seconds.
 */
export function followRecord(record, { renew, gone, reread, progress }) {
  let [changed, active, isAnyChanged, isStopped] = [new Set(), new Set(), false, false];
  let collecting = null;
  let repeating = null;
  const collect = () => {
    collecting ??= setTimeout(() => {
      const resources = isAnyChanged ? null : changed;
      [changed, isAnyChanged, collecting] = [new Set(), false, null];
      reread(resources);
    }, collectingTime);
  };
  const stop = followLibrary({
    renew,
    progress: (all) => {
      progress?.(all);
      const now = new Set(all.active.filter((each) => each.record === record).map(({ id }) => id));
      // What is no longer active has a new state, of which there is no event.
      for (const id of active) if (!now.has(id)) changed.add(id);
      active = now;
      if (changed.size > 0) collect();
    },
    event: (event) => {
      const isOfRecord = event.record === record;
      if (event.kind === 'wasReset' || (event.kind === 'recordRemoved' && isOfRecord)) {
        gone();
      } else if (event.kind === 'entriesAdded' && isOfRecord) {
        renew();
      } else if (isOfRecord || (event.record === undefined && ofLibrary.has(event.kind))) {
        if (event.resource === undefined) isAnyChanged = true;
        else changed.add(event.resource);
        collect();
      }
    },
  });
  return {
    stop() {
      isStopped = true;
      stop();
      clearTimeout(collecting);
      clearTimeout(repeating);
    },
    fail({ status }) {
      if (isStopped || status === 401) return;
      if (status === 404) gone();
      else repeating = setTimeout(renew, 2000);
    },
  };
}
