import SystemCalls
import Transport

/// What a connection has besides its socket when it speaks HTTP/2. Confined to its loop.
final class Multiplexer {
  let session: HTTP2Session
  var streams: [Int32: Stream] = [:]
  /// Octets for the socket, the first `sent` of which are gone.
  var output: [UInt8] = []
  var sent = 0
  /// Takes no more streams.
  var isRetired = false
  /// Is in the loop's list of those with something to send.
  var isUnflushed = false

  init(_ session: HTTP2Session) { self.session = session }
}

/// A transfer on a stream of a connection. Confined to its loop.
final class Stream {
  /// Its token for deadlines.
  let id: UInt64
  /// As HTTP/2 counts: odd.
  let number: Int32
  let connection: Connection
  let transfer: Transfer
  var exchange: HTTP2Exchange
  /// When something last came for it.
  var lastActivity: UInt64
  /// How fast the answer comes.
  var speed: SpeedWatch
  /// The earliest entry in the loop's deadlines.
  var armed = Moment.never

  init(
    id: UInt64, number: Int32, connection: Connection, transfer: Transfer,
    exchange: HTTP2Exchange, now: UInt64
  ) {
    self.id = id
    self.number = number
    self.connection = connection
    self.transfer = transfer
    self.exchange = exchange
    lastActivity = now
    speed = SpeedWatch(transfer.limits)
  }

  var nextDeadline: UInt64 {
    min(
      transfer.totalDeadline, speed.deadline,
      Moment.after(lastActivity, seconds: transfer.limits.idleTimeout))
  }
}
