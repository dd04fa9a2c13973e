import Aria2
import Synchronization

/// The replies of the aria2 interface that their clients have not read yet. Their size is limited over all connections,
/// because a reply is in memory until its client has read it.
final class Aria2UnsentReplies: Sendable {
  struct Limits: Sendable {
    /// The maximum size of all replies in bytes: two of the longest.
    var bytes = 128 << 20
    /// The same for clients without the secret, which must not use up the limit of the others.
    var openBytes = 16 << 20
    /// The size in bytes up to which a reply is not counted. The number of connections limits such replies.
    var shortBytes = 64 << 10
  }

  private let limits: Limits
  private let counts = Mutex((authorised: 0, open: 0))

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Sends a reply, or an error in its place if clients have too much to read.
  /// - Parameter send: Returns when the client has read the reply, or does not read it any more.
  func send<Result>(_ reply: RPCReply, _ send: (RPCReply) async -> Result) async -> Result {
    let count = reply.body.count
    guard count > limits.shortBytes else { return await send(reply) }
    guard add(count, isAuthorised: reply.wasAuthorised) else {
      return await send(
        .unavailable(
          "The calls were performed, but clients have too many replies to read; "
            + "read them, or ask for less at a time."))
    }
    let result = await send(reply)
    counts.withLock { counts in
      if reply.wasAuthorised { counts.authorised -= count } else { counts.open -= count }
    }
    return result
  }

  private func add(_ count: Int, isAuthorised: Bool) -> Bool {
    counts.withLock { counts in
      let (used, limit) =
        isAuthorised ? (counts.authorised, limits.bytes) : (counts.open, limits.openBytes)
      guard used + count <= limit else { return false }
      if isAuthorised { counts.authorised += count } else { counts.open += count }
      return true
    }
  }
}
