// The events of imgdld. One tab, the leader, holds the only stream and passes the events on to the others; when it
// is closed, the next tab continues after the last event (Web.md).

const channel = new BroadcastChannel('imgdl');
const listeners = new Set();
const firstPause = 500;
const longestPause = 10_000;

let lastEvent = null;
/** The state of the connection: "connecting", "live" or "away". */
let state = 'connecting';
// The number of the event after which this tab receives all events, and of the oldest reading before that.
let begin = null;
let oldest = Infinity;

/**
 * Calls `listener` with each message: {kind: "connection", state}, {kind: "event", event}, {kind: "progress",
 * progress}, {kind: "snapshot", status, followsGap} or {kind: "gap"}. After a gap, everything that was read before
 * may be outdated.
 */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells that something was read which includes the events up to this number. */
export function noteRead(seq) {
  if (begin === null) oldest = Math.min(oldest, seq);
  else if (seq < begin) setTimeout(() => deliver({ kind: 'gap' }));
}

function deliver(message) {
  if (message.kind === 'connection') state = message.state;
  let isGap = false;
  if (message.id) {
    lastEvent = message.id;
    if (begin === null || message.kind === 'snapshot') {
      begin = Number(lastEvent.split('-')[1]);
      isGap = oldest < begin;
      oldest = Infinity;
    }
  }
  for (const listener of listeners) listener(message);
  if (isGap) deliver({ kind: 'gap' });
}

function publish(message) {
  deliver(message);
  channel.postMessage(message);
}

channel.onmessage = ({ data }) => {
  // A new tab asks for the state; only the leader, which has the stream, answers.
  if (data.kind === 'question') {
    if (stream) channel.postMessage({ kind: 'connection', state, id: lastEvent });
  } else {
    deliver(data);
  }
};

let stream = null;

/** Starts receiving events, from imgdld or from the leader. */
export function start() {
  channel.postMessage({ kind: 'question' });
  navigator.locks.request('imgdl-events', () => lead());
}

// The promise stays pending, so the lock is held until the tab is closed.
function lead() {
  let pause = firstPause;
  return new Promise(() => {
    const open = () => {
      const after = lastEvent ? `&after=${encodeURIComponent(lastEvent)}` : '';
      stream = new EventSource(`/v1/events?progress=1${after}`);
      stream.onopen = () => {
        pause = firstPause;
        publish({ kind: 'connection', state: 'live' });
      };
      stream.onmessage = ({ data, lastEventId }) => {
        publish({ kind: 'event', event: JSON.parse(data), id: lastEventId });
      };
      stream.addEventListener('progress', ({ data }) => {
        publish({ kind: 'progress', progress: JSON.parse(data) });
      });
      stream.addEventListener('snapshot', ({ data, lastEventId }) => {
        const { status, followsGap } = JSON.parse(data);
        publish({ kind: 'snapshot', status, followsGap, id: lastEventId });
      });
      stream.onerror = () => {
        stream.close();
        publish({ kind: 'connection', state: 'away' });
        setTimeout(open, pause);
        pause = Math.min(2 * pause, longestPause);
      };
    };
    open();
  });
}
