import SystemCalls

/// The owner of a token of the poller or of a deadline.
enum Registration {
  /// A connection that is being made.
  case attempt(ConnectionAttempt)
  /// A socket that takes part in the attempt's race.
  case candidate(ConnectionAttempt)
  /// The socket that won the race, and is being made ready for requests.
  case handshake(ConnectionAttempt)
  case http1(HTTP1Connection)
  case http2(HTTP2Connection)
  /// One stream of a connection of HTTP/2, which has deadlines of its own.
  case stream(HTTP2Stream)
}

/// Something that the loop has to look at when a time has come.
protocol DeadlineHolder: AnyObject {
  var token: UInt64 { get }
  /// Nanoseconds of `CLOCK_MONOTONIC`; `Moment.never` while there is no deadline.
  var nextDeadline: UInt64 { get }
  /// Storage of the registry, which alone reads and changes it.
  var armedDeadline: ArmedDeadline { get set }
}

/// The earliest entry that a registry's queue holds for one object.
struct ArmedDeadline {
  fileprivate var time = Moment.never
}

/// Keeps the owner of each token, and when the loop must look at it. Confined to its loop.
final class Registry {
  private var registrations: [UInt64: Registration] = [:]
  private var deadlines = DeadlineQueue()
  private var lastToken: UInt64 = 0

  /// A token is never used twice, so that a late event of a closed descriptor has no holder.
  func makeToken() -> UInt64 {
    lastToken &+= 1
    return lastToken
  }

  /// Setting replaces the owner before: a connection passes from the dialer to its protocol.
  subscript(token: UInt64) -> Registration? {
    get { registrations[token] }
    set { registrations[token] = newValue }
  }

  func remove(_ token: UInt64) { registrations.removeValue(forKey: token) }

  /// - Returns: everything that was registered.
  func removeAll() -> [Registration] {
    defer { registrations = [:] }
    return Array(registrations.values)
  }

  /// Makes sure that `nextDue` returns the holder when its next deadline has come. O(log n), and
  /// nothing to do while an earlier entry is still to come.
  func arm(_ holder: some DeadlineHolder) {
    let next = holder.nextDeadline
    guard next < holder.armedDeadline.time else { return }
    holder.armedDeadline.time = next
    deadlines.add(DeadlineQueue.Entry(time: next, id: holder.token))
  }

  /// When `nextDue` may have something again.
  var nextDeadline: UInt64 { deadlines.next ?? Moment.never }

  /// The next one whose armed deadline has come. Its real deadline may have moved: the owner looks,
  /// and arms it again.
  func nextDue(_ now: UInt64) -> Registration? {
    while let entry = deadlines.popDue(now) {
      guard let registration = registrations[entry.id], disarm(registration, entry.time) else {
        continue
      }
      return registration
    }
    return nil
  }

  /// False for an entry that an earlier one has replaced.
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
