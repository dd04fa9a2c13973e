/// The open connections, with the peer of each and the phase of its request. Chooses the connection to close
/// when there is no room for another one; closes none itself.
///
/// A peer is a process of the library's user, since all other users are refused. The limit for each peer
/// keeps one process from locking out the others. A process that forks counts as several peers; only the
/// total limit then applies.
struct ConnectionTable<ID: Hashable & Sendable, Peer: Hashable & Sendable>: Sendable {
  enum Phase: Sendable {
    /// No byte of the next request on the connection has been received.
    case idle
    /// A part of a request has been received.
    case incomplete
    /// A handler processes the request, or a response or stream is being sent.
    case serving
  }

  enum Admission: Equatable, Sendable {
    case admitted
    /// The caller must first close this connection, and then admit the new one.
    case admittedAfter(Closing)
    /// No connection can be closed, because all are serving requests.
    case refused(limit: Int, isOfPeer: Bool)
  }

  struct Closing: Equatable, Sendable {
    let id: ID
    /// Whether a part of a request has been received, so that the client expects an error response.
    let isIncomplete: Bool
  }

  private struct Entry {
    let peer: Peer
    var phase = Phase.idle
    /// The counter of the table at this connection's last change of phase; a smaller value is older.
    var order: UInt64
  }

  private let limit: Int
  private let peerLimit: Int
  private var entries: [ID: Entry] = [:]
  private var peers: [Peer: Int] = [:]
  private var order: UInt64 = 0

  /// - Parameters:
  ///   - limit: The maximum number of connections.
  ///   - peerLimit: The maximum number of connections of one peer.
  init(limit: Int, peerLimit: Int) {
    self.limit = limit
    self.peerLimit = min(peerLimit, limit)
  }

  var count: Int { entries.count }

  /// Makes room for a connection of a peer. A connection that the result names for closing is removed from
  /// the table.
  ///
  /// A peer at its limit loses one of its own connections. Otherwise the oldest incomplete request of any
  /// peer is closed, or else the connection that has been idle longest.
  mutating func makeRoom(for peer: Peer) -> Admission {
    let isPeerFull = peers[peer, default: 0] >= peerLimit
    guard isPeerFull || entries.count >= limit else { return .admitted }
    guard let closing = closable(of: isPeerFull ? peer : nil) else {
      return .refused(limit: isPeerFull ? peerLimit : limit, isOfPeer: isPeerFull)
    }
    remove(closing.id)
    return .admittedAfter(closing)
  }

  /// Returns the connection whose closing does the least harm, or nil if all are serving requests.
  /// - Parameter peer: The peer whose connections to consider; nil means all.
  func closable(of peer: Peer? = nil) -> Closing? {
    let own = peer.map { peer in entries.filter { $0.value.peer == peer } } ?? entries
    for phase in [Phase.incomplete, .idle] {
      let oldest = own.filter { $0.value.phase == phase }.min { $0.value.order < $1.value.order }
      if let oldest { return Closing(id: oldest.key, isIncomplete: phase == .incomplete) }
    }
    return nil
  }

  /// Adds a connection, which is idle at first.
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
