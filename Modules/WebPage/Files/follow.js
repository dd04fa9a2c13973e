// Callbacks for screens when the library changes.

import { listen } from './live.js';

/** Milliseconds for which changes are collected before the resources are read again. */
const collectingTime = 250;

/** The events that concern every record if they name none. */
const ofLibrary = new Set(['paused', 'resumed', 'retried']);

/**
 * Calls `event`, `progress` and `status` as messages arrive, and `renew` when all data may be outdated: after
 * a lost connection or a gap in the events. Returns a function that ends the calls.
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
      case 'gap':
        renew();
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
 * Follows a record: calls `renew` also after new entries, and `reread` with the set of changed resources, or
 * null if any may have changed. The router replaces the screen after its removal. The result has `stop()`, and
 * `fail(problem)` for a failed request: unless the record is missing, it calls `renew` in two seconds.
 */
export function followRecord(record, router, { renew, reread, progress }) {
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
      // A resource that is no longer active has a new state, without an event.
      for (const id of active) if (!now.has(id)) changed.add(id);
      active = now;
      if (changed.size > 0) collect();
    },
    event: (event) => {
      const isOfRecord = event.record === record;
      if (event.kind === 'wasReset' || (event.kind === 'recordRemoved' && isOfRecord)) {
        router.showMissing();
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
      if (status === 404) router.showMissing();
      else repeating = setTimeout(renew, 2000);
    },
  };
}
