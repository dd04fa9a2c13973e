import Glibc
import Models
import SystemCalls
import Transport
import TransportContracts

@testable import TransportSocket

/// An event loop, whose iterations are performed by the test, and a server whose frames are chosen by the
/// test: pool, connections and dispatcher as in a transport, but with an order of events that follows from a
/// seed, as far as the kernel delivers bytes at once. All frames that one step sends arrive in one read.
final class HTTP2Model {
  /// The server's end of a connection.
  final class Peer {
    fileprivate let descriptor: OwnedDescriptor
    fileprivate var reader = HTTP2FrameReader()
    fileprivate var hasPreface = false
    /// The streams without an answer, and those whose answer has begun.
    fileprivate(set) var unanswered: [Int32] = []
    fileprivate(set) var begun: [Int32] = []
    /// The number of requests that have arrived.
    fileprivate(set) var requestCount = 0
    fileprivate(set) var isClosed = false
    /// The last stream of GOAWAY, after which no request is answered.
    fileprivate(set) var lastStream: Int32?
    /// Whether the client has acknowledged the ping that followed GOAWAY.
    fileprivate var hasReadGoAway = false

    fileprivate init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }
  }

  private let loop: EventLoop
  private let listener: OwnedDescriptor
  private let port: Int
  private let transferLimit: Int
  private let limits = TransferLimits.testing
  private(set) var peers: [Peer] = []
  private(set) var started: UInt64 = 0
  /// The outcomes of transfers, each with the number of times that it was reported.
  private(set) var outcomes: [UInt64: (result: Transfer.Completion, count: Int)] = [:]
  private(set) var violations: [String] = []

  init(transferLimit: Int) throws {
    self.transferLimit = transferLimit
    var options = SocketOptions()
    options.http2 = .priorKnowledge
    loop = try EventLoop(options, try LoopServices(options, RateLimiter(rate: 0)))
    (listener, port) = try Self.listen()
  }

  var requestCount: Int { peers.reduce(0) { $0 + $1.requestCount } }

  var openPeers: [Peer] { peers.filter { !$0.isClosed } }

  var isDone: Bool { outcomes.count == Int(started) }

  /// The number of transfers that the pool takes for active.
  var occupancy: Int {
    loop.dispatcher.occupancy(HTTPURL.Origin(scheme: .http, host: "127.0.0.1", port: port))
  }

  /// The state of the connections whose transfers have not ended, for messages.
  var summary: String {
    let missing = (1...max(1, started)).filter { outcomes[$0] == nil }
    let states = peers.enumerated().filter { !$1.isClosed }.map { number, peer in
      "\(number): \(peer.requestCount) requests, unanswered \(peer.unanswered), "
        + "begun \(peer.begun), last \(peer.lastStream.map(String.init) ?? "none"), "
        + "preface \(peer.hasPreface)"
    }
    return "transfers \(missing) of \(started) did not end; \(states); \(occupancy) active"
  }

  func end() {
    loop.submit(.stop(nil))
    while loop.iterate(maximumWait: 0) {}
    loop.end()
  }

  // MARK: - The client

  func startTransfer() throws {
    started += 1
    let id = started
    let hop = Hop(
      url: try HTTPURL("http://127.0.0.1:\(port)/\(id)"), request: [], fields: HTTPFields(),
      limits: limits, addresses: .any, proxy: nil, started: Machine.monotonicNanoseconds)
    let transfer = Transfer(
      id: id, hop: hop, connectionLimit: transferLimit, sink: RecordingSink()
    ) { [unowned self] result in
      outcomes[id] = (result, (outcomes[id]?.count ?? 0) + 1)
    }
    loop.submit(.start(transfer))
  }

  func cancelTransfer(_ id: UInt64) { loop.submit(.cancel(id)) }

  /// Performs one iteration of the loop, then reads the requests that it has sent.
  /// - Parameter maximumWait: The time in milliseconds in which an event is awaited.
  func iterate(maximumWait: Int32 = 0) {
    _ = loop.iterate(maximumWait: maximumWait)
    while true {
      let raw = accept(listener.raw, nil, nil)
      guard raw >= 0 else { break }
      _ = fcntl(raw, F_SETFL, O_NONBLOCK)
      let peer = Peer(OwnedDescriptor(raw))
      peers.append(peer)
      send(HTTP2Frame.settings(), by: peer)
    }
    for peer in openPeers { read(peer) }
  }

  // MARK: - The server

  private func send(_ bytes: [UInt8], by peer: Peer) {
    // A loopback socket takes such small messages as a whole.
    _ = Glibc.send(peer.descriptor.raw, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private func read(_ peer: Peer) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(peer.descriptor.raw, &buffer, buffer.count, 0)
      if count <= 0 {
        if count == 0 || errno != EAGAIN { close(peer) }
        break
      }
      peer.reader.add(buffer[..<count])
    }
    if !peer.hasPreface {
      peer.hasPreface = peer.reader.takePreface() == true
      guard peer.hasPreface else { return }
    }
    while let frame = peer.reader.next() { handle(frame, of: peer) }
  }

  private func handle(_ frame: HTTP2FrameReader.Frame, of peer: Peer) {
    if frame.isKind(.reset) {
      peer.unanswered.removeAll { $0 == frame.stream }
      peer.begun.removeAll { $0 == frame.stream }
    }
    if frame.isKind(.ping), frame.flags & 1 == 1 { peer.hasReadGoAway = true }
    guard frame.isKind(.headers) else { return }
    peer.requestCount += 1
    if peer.hasReadGoAway { violations.append("a request after GOAWAY") }
    if frame.stream <= peer.lastStream ?? .max { peer.unanswered.append(frame.stream) }
  }

  private func close(_ peer: Peer) {
    peer.isClosed = true
    peer.descriptor.close()
  }

  // MARK: - Frames

  /// A part of what a step sends.
  enum Part {
    case answer(Int32), beginning(Int32), rest(Int32), refusal(Int32), misdirection(Int32)
    case failure(Int32, code: UInt32)
    case goAway(last: Int32, code: UInt32)
    case settings(streams: UInt32)
  }

  /// Sends the frames of several parts at once.
  func send(_ parts: [Part], by peer: Peer) {
    send(parts.flatMap { frames($0, of: peer) }, by: peer)
  }

  /// Ends a connection without GOAWAY.
  func disconnect(_ peer: Peer) { close(peer) }

  private func frames(_ part: Part, of peer: Peer) -> [UInt8] {
    switch part {
    case .answer(let stream):
      peer.unanswered.removeAll { $0 == stream }
      return HTTP2Frame.response(stream, "ok")
    case .beginning(let stream):
      peer.unanswered.removeAll { $0 == stream }
      peer.begun.append(stream)
      return HTTP2Frame.head(stream) + HTTP2Frame.data(stream, "o")
    case .rest(let stream):
      peer.begun.removeAll { $0 == stream }
      return HTTP2Frame.data(stream, "k", ends: true)
    case .refusal(let stream):
      peer.unanswered.removeAll { $0 == stream }
      return HTTP2Frame.reset(stream, 7)
    case .misdirection(let stream):
      peer.unanswered.removeAll { $0 == stream }
      return HTTP2Frame.head(stream, status: "421") + HTTP2Frame.data(stream, "no", ends: true)
    case .failure(let stream, let code):
      for list in [\Peer.unanswered, \.begun] { peer[keyPath: list].removeAll { $0 == stream } }
      return HTTP2Frame.reset(stream, code)
    case .goAway(let last, let code):
      let last = min(last, peer.lastStream ?? .max)
      peer.lastStream = last
      peer.unanswered.removeAll { $0 > last }
      return HTTP2Frame.goAway(last: last, code) + HTTP2Frame.ping
    case .settings(let streams): return HTTP2Frame.settings([(3, streams)])
    }
  }

  private static func listen() throws -> (OwnedDescriptor, Int) {
    let raw = socket(
      AF_INET,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard raw >= 0 else { throw SystemError.last("open a socket") }
    let descriptor = OwnedDescriptor(raw)
    let loopback = SocketAddress(ip: .init(v4: 0x7f00_0001), port: 0)
    var storage = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = loopback.withSocketAddress { bind(raw, $0, $1) | Glibc.listen(raw, 256) }
    let isKnown = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(raw, $0, &length) }
    }
    guard isBound == 0, isKnown == 0 else { throw SystemError.last("listen") }
    return (descriptor, Int(UInt16(bigEndian: storage.sin_port)))
  }
}
