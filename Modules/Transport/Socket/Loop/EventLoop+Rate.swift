import SystemCalls
import Threading
import Transport

extension Connection {
  /// The time in which the rate limit kept us from reading is not the server's.
  fileprivate func excludeThrottledTime(until now: UInt64) {
    guard now > throttledSince else { return }
    speed.exclude(now - throttledSince)
    for stream in multiplexer?.streams.values ?? [:].values {
      stream.speed.exclude(now - throttledSince)
    }
  }
}

/// Reading no faster than the rate limit. A connection that finds nothing left is not watched until
/// there is something; they have their turns in the order in which they came to wait.
extension EventLoop {
  /// Reads of a connection into the part of the buffer after `kept` octets; nil if it has to wait.
  func read(_ connection: Connection, after kept: Int = 0) -> StreamResult? {
    guard let limiter = services.limiter, !connection.hasHungUp else {
      return connection.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept...]))
    }
    if connection.isThrottled { return nil }
    let granted = limiter.take()
    guard granted > 0 else {
      connection.isThrottled = true
      connection.throttledSince = Machine.monotonicNanoseconds
      watch(connection, connection.interest)
      throttled.append(connection)
      throttledUntil = limiter.nextTime
      return nil
    }
    let end = min(buffer.count, kept + granted)
    let result = connection.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept..<end]))
    if case .bytes(let count) = result {
      limiter.giveBack(granted - count)
    } else {
      limiter.giveBack(granted)
    }
    return result
  }

  /// Goes on with those that wait, if their time has come.
  func feedThrottled(_ now: UInt64) {
    guard throttledUntil <= now else { return }
    let connections = throttled
    throttled = []
    throttledUntil = Moment.never
    for connection in connections {
      connection.isThrottled = false
      connection.lastActivity = now
      connection.excludeThrottledTime(until: now)
      guard occupants[connection.id] != nil else { continue }
      watch(connection, .input)
      ready(connection, .input)
    }
  }
}
