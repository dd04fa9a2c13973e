import SystemCalls

/// The object to which a token of the poller or of a deadline belongs.
enum Registration {
  /// A connection attempt, for its deadlines.
  case attempt(ConnectionAttempt)
  /// A socket that takes part in the race of an attempt.
  case candidate(ConnectionAttempt)
  /// The socket that won the race, during its handshake.
  case handshake(ConnectionAttempt)
  case http1(HTTP1Connection)
  case http2(HTTP2Connection)
  /// A stream of an HTTP/2 connection, for its deadlines.
  case stream(HTTP2Stream)
}

/// An object whose deadlines the loop checks.
protocol DeadlineHolder: AnyObject {
  var token: UInt64 { get }
  /// The object's earliest deadline in nanoseconds of `CLOCK_MONOTONIC`; `Moment.never` means none.
  var nextDeadline: UInt64 { get }
  /// Storage that the registry keeps in the object; no other type reads or changes the value.
  var armedDeadline: ArmedDeadline { get set }
}

/// The earliest entry that a registry's queue holds for one object.
struct ArmedDeadline {
  fileprivate var time = Moment.never
}

/// Maps each token to its owner, and schedules the owners' deadlines. Confined to its event loop.
final class Registry {
  private var registrations: [UInt64: Registration] = [:]
  private var deadlines = DeadlineQueue()
  private var lastToken: UInt64 = 0

  /// Returns a token that was never used before, so that a late event of a closed descriptor has no
  /// owner.
  func makeToken() -> UInt64 {
    lastToken &+= 1
    return lastToken
  }

  /// The owner of a token. A new owner replaces the previous one, as when a connection passes from
  /// the dialer to its protocol.
  subscript(token: UInt64) -> Registration? {
    get { registrations[token] }
    set { registrations[token] = newValue }
  }

  func remove(_ token: UInt64) { registrations.removeValue(forKey: token) }

  /// Removes all registrations.
  /// - Returns: The removed registrations.
  func removeAll() -> [Registration] {
    defer { registrations = [:] }
    return Array(registrations.values)
  }

  /// Adds an entry for a holder to the queue, so that `nextDue` returns the holder at its next
  /// deadline. O(log n); does nothing if an earlier entry exists.
  func arm(_ holder: some DeadlineHolder) {
    let next = holder.nextDeadline
    guard next < holder.armedDeadline.time else { return }
    holder.armedDeadline.time = next
    deadlines.add(DeadlineQueue.Entry(time: next, id: holder.token))
  }

  /// The earliest time at which `nextDue` may return a registration.
  var nextDeadline: UInt64 { deadlines.next ?? Moment.never }

  /// Returns the next registration whose armed deadline has passed. The holder's deadline may have
  /// moved since; the holder checks it and arms itself again.
  func nextDue(_ now: UInt64) -> Registration? {
    while let entry = deadlines.popDue(now) {
      guard let registration = registrations[entry.id], disarm(registration, entry.time) else {
        continue
      }
      return registration
    }
    return nil
  }

  /// Clears the owner's armed deadline. Returns false for an obsolete entry of the queue, which an
  /// entry with an earlier time has replaced.
  private func disarm(_ registration: Registration, _ time: UInt64) -> Bool {
    switch registration {
    case .attempt(let attempt): disarm(attempt, time)
    case .http1(let connection): disarm(connection, time)
    case .http2(let connection): disarm(connection, time)
    case .stream(let stream): disarm(stream, time)
    case .candidate, .handshake: false
    }
  }

  private func disarm(_ holder: some DeadlineHolder, _ time: UInt64) -> Bool {
    guard holder.armedDeadline.time == time else { return false }
    holder.armedDeadline.time = Moment.never
    return true
  }
}
