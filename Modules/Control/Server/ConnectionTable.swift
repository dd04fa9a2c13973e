/// The open connections, with the peer of each and the phase of its request. Decides which connection is
/// closed when there is no room for another. Pure.
///
/// A peer is a process of the user whose library it is, since everybody else is refused; one process can
/// therefore not keep the others out. A process that forks is several peers: the limit for all together
/// holds then, and the same order of closing.
struct ConnectionTable<ID: Hashable & Sendable, Peer: Hashable & Sendable>: Sendable {
  enum Phase: Sendable {
    /// No byte of a request has come.
    case idle
    /// A part of a request has come.
    case incomplete
    /// A handler works for it, or an answer or a stream goes out.
    case atWork
  }

  enum Admission: Equatable, Sendable {
    case admitted
    /// After this connection was closed.
    case admittedAfter(Closing)
    /// Everything that could make room is at work.
    case refused(limit: Int, isOfPeer: Bool)
  }

  struct Closing: Equatable, Sendable {
    let id: ID
    /// Part of a request has come, so that the client waits for an answer.
    let isIncomplete: Bool
  }

  private struct Entry {
    let peer: Peer
    var phase = Phase.idle
    /// Rises with each change of phase.
    var order: UInt64
  }

  private let limit: Int
  private let peerLimit: Int
  private var entries: [ID: Entry] = [:]
  private var peers: [Peer: Int] = [:]
  private var order: UInt64 = 0

  /// - Parameters:
  ///   - limit: of all connections together.
  ///   - peerLimit: of the connections of one peer.
  init(limit: Int, peerLimit: Int) {
    self.limit = limit
    self.peerLimit = min(peerLimit, limit)
  }

  var count: Int { entries.count }

  /// Makes room for a connection of a peer; the one that it names is no longer counted.
  ///
  /// A peer that has all that it may have pays with its own connections; otherwise the oldest request
  /// that is incomplete pays, whoever sent it, and then the connection that has been idle longest.
  mutating func makeRoom(for peer: Peer) -> Admission {
    let isPeerFull = peers[peer, default: 0] >= peerLimit
    guard isPeerFull || entries.count >= limit else { return .admitted }
    guard let closing = closable(of: isPeerFull ? peer : nil) else {
      return .refused(limit: isPeerFull ? peerLimit : limit, isOfPeer: isPeerFull)
    }
    remove(closing.id)
    return .admittedAfter(closing)
  }

  /// The connection that can be closed with the least harm; nil if all are at work.
  /// - Parameter peer: whose; nil means anybody's.
  func closable(of peer: Peer? = nil) -> Closing? {
    let own = peer.map { peer in entries.filter { $0.value.peer == peer } } ?? entries
    for phase in [Phase.incomplete, .idle] {
      let oldest = own.filter { $0.value.phase == phase }.min { $0.value.order < $1.value.order }
      if let oldest { return Closing(id: oldest.key, isIncomplete: phase == .incomplete) }
    }
    return nil
  }

  /// Registers a connection, which is idle at first.
  mutating func add(_ id: ID, of peer: Peer) {
    order += 1
    entries[id] = Entry(peer: peer, order: order)
    peers[peer, default: 0] += 1
  }

  mutating func setPhase(_ phase: Phase, of id: ID) {
    guard entries[id] != nil else { return }
    order += 1
    entries[id]?.phase = phase
    entries[id]?.order = order
  }

  mutating func remove(_ id: ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    let left = peers[entry.peer, default: 1] - 1
    peers[entry.peer] = left > 0 ? left : nil
  }
}
