import Glibc
import Models
import Synchronization
import SystemCalls
import TestSupport
import Threading

@testable import TransportSocket

/// A DNS server on loopback, over UDP and TCP, that answers as a test tells it, well or badly.
///
/// `@unchecked`: `state` is locked; the sockets are used by the server's thread only.
final class ScriptedDNS: @unchecked Sendable {
  struct Query: Sendable {
    let question: DNSMessage.Question
    let isTCP: Bool
    /// How often this has been asked before.
    let index: Int
  }

  struct Reply: Sendable {
    var status = DNSMessage.Status.ok
    var records: [DNSMessage.Record] = []
    /// Over UDP: the rest comes over TCP.
    var isTruncated = false
    /// Comes with the identifier of another query.
    var hasWrongID = false
    /// In place of a message.
    var junk: [UInt8]?
    /// Sent before the answer, for another identifier.
    var isPrecededByForgery = false
    /// Waits for `release()`.
    var isHeld = false
    /// Milliseconds.
    var delay: UInt64 = 0

    static let nothing = Reply(status: .ok)
    static let noSuchName = Reply(status: .noSuchName)

    /// The addresses of the family that was asked for.
    static func addresses(
      _ query: Query, _ texts: [String], seconds: UInt32 = 60
    ) -> Reply {
      let records = texts.compactMap { text in
        DNSMessage.Record.address(query.question.name, text, seconds: seconds)
      }
      return Reply(records: records.filter { $0.family == query.question.family })
    }
  }

  /// nil: no answer at all.
  typealias Script = @Sendable (Query) -> Reply?

  private struct Pending {
    let message: [UInt8]
    let isHeld: Bool
    let due: UInt64
    let target: Target
  }

  private enum Target {
    case datagram(sockaddr_in)
    case stream(OwnedDescriptor)
  }

  private struct State: Sendable {
    var queries: [Query] = []
    var isReleased = false
    var isStopped = false
  }

  private let script: Script
  private let datagrams: OwnedDescriptor
  private let listener: OwnedDescriptor
  private let bell: (reading: OwnedDescriptor, writing: OwnedDescriptor)
  private let state = Watched(State())
  private let thread = Mutex<BlockingThread?>(nil)
  private var streams: [OwnedDescriptor] = []
  private var pending: [Pending] = []
  let port: Int

  init(_ script: @escaping Script) throws {
    self.script = script
    (datagrams, listener, port) = try Self.open()
    bell = try Channels.pipe()
    let made = try BlockingThread("test-dns") { [self] in run() }
    thread.withLock { $0 = made }
  }

  /// For `SocketOptions.dnsServers`.
  var endpoint: IPEndpoint { IPEndpoint(address: IPAddress(v4: 0x7f00_0001), port: port) }

  var queries: [Query] { state.value.queries }

  /// Returns once so many queries have come.
  func queries(count: Int) async throws -> [Query] {
    try await state.until { $0.queries.count >= count }
    return queries
  }

  /// Sends what is held, and holds nothing any more.
  func release() {
    state.update { $0.isReleased = true }
    ring()
  }

  /// The server lives until this is called.
  func stop() {
    state.update { $0.isStopped = true }
    ring()
    thread.withLock { $0.take() }?.join()
  }

  private func ring() {
    var byte: UInt8 = 1
    _ = write(bell.writing.raw, &byte, 1)
  }

  private static func open() throws -> (OwnedDescriptor, OwnedDescriptor, Int) {
    // A port that is free for datagrams may be taken for streams.
    for _ in 0..<32 {
      let flags = Int32(SOCK_CLOEXEC.rawValue)
      let datagrams = OwnedDescriptor(socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | flags, 0))
      let listener = OwnedDescriptor(socket(AF_INET, Int32(SOCK_STREAM.rawValue) | flags, 0))
      guard let port = bound(datagrams, port: 0) else { throw SystemError.last("bind") }
      guard bound(listener, port: port) != nil, listen(listener.raw, 16) == 0 else { continue }
      return (datagrams, listener, port)
    }
    throw SystemError.last("bind")
  }

  /// A port without a listener.
  static func closedPort() throws -> IPEndpoint {
    let (datagrams, listener, port) = try open()
    datagrams.close()
    listener.close()
    return IPEndpoint(address: IPAddress(v4: 0x7f00_0001), port: port)
  }

  private static func bound(_ descriptor: OwnedDescriptor, port: Int) -> Int? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor.raw, $0, length) | getsockname(descriptor.raw, $0, &length)
      }
    }
    return result == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
  }
}

/// The server's thread.
extension ScriptedDNS {
  private func run() {
    while !state.value.isStopped {
      let fixed = [datagrams.raw, listener.raw, bell.reading.raw]
      let current = streams
      var polled = (fixed + current.map(\.raw)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&polled, nfds_t(polled.count), patience) >= 0 || errno == EINTR else { return }
      if polled[0].revents != 0 { receiveDatagram() }
      if polled[1].revents != 0 {
        let raw = accept(listener.raw, nil, nil)
        if raw >= 0 { streams.append(OwnedDescriptor(raw)) }
      }
      if polled[2].revents != 0 {
        var buffer = [UInt8](repeating: 0, count: 64)
        _ = read(bell.reading.raw, &buffer, buffer.count)
      }
      for (stream, event) in zip(current, polled[3...]) where event.revents != 0 {
        if !receive(from: stream) { streams.removeAll { $0 === stream } }
      }
      sendDue()
    }
    streams = []
  }

  private var patience: Int32 {
    let now = Machine.monotonicNanoseconds
    let isReleased = state.value.isReleased
    let waits = pending.filter { !$0.isHeld || isReleased }.map(\.due)
    guard let next = waits.min() else { return -1 }
    return next <= now ? 0 : Int32(clamping: (next - now) / 1_000_000 + 1)
  }

  private func sendDue() {
    let now = Machine.monotonicNanoseconds
    let isReleased = state.value.isReleased
    let due = pending.filter { (!$0.isHeld || isReleased) && $0.due <= now }
    pending.removeAll { (!$0.isHeld || isReleased) && $0.due <= now }
    for reply in due { send(reply.message, to: reply.target) }
  }

  private func receiveDatagram() {
    var buffer = [UInt8](repeating: 0, count: 2_048)
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let count = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(datagrams.raw, &buffer, buffer.count, 0, $0, &length)
      }
    }
    if count > 0 { take(Array(buffer[..<count]), .datagram(address)) }
  }

  private func receive(from stream: OwnedDescriptor) -> Bool {
    var head: [UInt8] = [0, 0]
    guard recv(stream.raw, &head, 2, Int32(MSG_WAITALL)) == 2 else { return false }
    let size = Int(head[0]) << 8 | Int(head[1])
    var body = [UInt8](repeating: 0, count: size)
    guard recv(stream.raw, &body, size, Int32(MSG_WAITALL)) == size else { return false }
    take(body, .stream(stream))
    return true
  }

  private func take(_ bytes: [UInt8], _ target: Target) {
    guard let (id, question) = DNSMessage.parse(bytes) else { return }
    let isTCP = if case .stream = target { true } else { false }
    let index = state.value.queries.count { $0.question == question && $0.isTCP == isTCP }
    let query = Query(question: question, isTCP: isTCP, index: index)
    state.update { $0.queries.append(query) }
    guard let reply = script(query) else { return }
    func message(_ id: UInt16) -> [UInt8] {
      DNSMessage.answer(
        id: id, question, reply.status, reply.isTruncated && !isTCP ? [] : reply.records,
        isTruncated: reply.isTruncated && !isTCP)
    }
    let due = Machine.monotonicNanoseconds &+ reply.delay &* 1_000_000
    if reply.isPrecededByForgery {
      let forged = DNSMessage.Record.address(question.name, "127.9.9.9", seconds: 60)
      let bytes = DNSMessage.answer(id: id &+ 1, question, .ok, forged.map { [$0] } ?? [])
      pending.append(Pending(message: bytes, isHeld: reply.isHeld, due: due, target: target))
    }
    pending.append(
      Pending(
        message: reply.junk ?? message(reply.hasWrongID ? id &+ 1 : id), isHeld: reply.isHeld,
        due: due, target: target))
  }

  private func send(_ message: [UInt8], to target: Target) {
    switch target {
    case .datagram(var address):
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(datagrams.raw, message, message.count, 0, $0, length)
        }
      }
    case .stream(let stream):
      let framed = [UInt8(message.count >> 8), UInt8(truncatingIfNeeded: message.count)] + message
      _ = Glibc.send(stream.raw, framed, framed.count, Int32(MSG_NOSIGNAL))
    }
  }
}

extension DNSMessage.Record {
  var family: IPAddress.Family? { if case .address(let ip) = data { ip.family } else { nil } }
}
