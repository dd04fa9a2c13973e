import CNGHTTP2
import COpenSSL
import Glibc
import Models
import Synchronization
import SystemCalls
import Threading
import Transport

@testable import TransportSocket

/// A server on loopback that answers requests of HTTP/2 with the bytes of a script, legal or not.
/// To a client that begins otherwise it speaks a little HTTP/1.1.
///
/// `@unchecked`: the C handle is not changed after `init`; OpenSSL allows its use on any thread.
final class HTTP2Server: @unchecked Sendable {
  struct Request: Sendable {
    /// From 0, over all connections.
    let number: Int
    /// From 0.
    let connection: Int
    let stream: Int32
    /// `:path` and the others.
    let fields: [String: String]

    var path: String { fields[":path"] ?? "" }
  }

  enum Answer: Sendable {
    case send([UInt8])
    /// Sends, then ends the connection.
    case sendAndClose([UInt8])
    /// Sends one after the other what these return, each called when the one before is sent.
    case sendInTurn([@Sendable () -> [UInt8]])
  }

  struct Record: Sendable {
    var connections = 0
    var requests: [Request] = []
    /// Streams that the client reset, with its code.
    var resets: [(stream: Int32, code: UInt32)] = []
    var goAways = 0
    /// Requests by HTTP/1.1.
    var http1Requests = 0
    /// Streams that were open at the same time.
    var mostAtOnce = 0
  }

  typealias Script = @Sendable (Request) -> Answer

  private let listener: OwnedDescriptor
  private let context: OpaquePointer?
  private let greeting: [UInt8]
  private let script: Script
  private let state = Mutex((record: Record(), open: [Int32](), isStopped: false))
  private let threads = Mutex<[BlockingThread]>([])
  let port: Int

  /// - Parameters:
  ///   - greeting: what the server sends first; its settings.
  ///   - identity: for TLS; without it the client has to know that this is HTTP/2.
  ///   - agreesOn: what the server chooses where the client offers it.
  init(
    greeting: [UInt8] = HTTP2Frame.settings(), identity: TestIdentity? = nil,
    agreesOn: StaticString = "h2", script: @escaping Script
  ) throws {
    self.greeting = greeting
    self.script = script
    context = try identity.map { try Self.context($0, agreesOn) }
    (listener, port) = try Self.listen()
    let made = try BlockingThread("test-h2") { [self] in run() }
    threads.withLock { $0.append(made) }
  }

  deinit { if let context { SSL_CTX_free(context) } }

  var record: Record { state.withLock { $0.record } }
  var url: String { "\(context == nil ? "http" : "https")://localhost:\(port)/" }

  /// Ends everything; the record is complete then. The server lives until this is called.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      for raw in state.open { shutdown(raw, Int32(SHUT_RDWR)) }
    }
    shutdown(listener.raw, Int32(SHUT_RDWR))
    while let thread = threads.withLock({ $0.popLast() }) { thread.join() }
  }

  private static func context(
    _ identity: TestIdentity, _ name: StaticString
  ) throws -> OpaquePointer {
    guard let context = SSL_CTX_new(TLS_server_method()), identity.install(in: context) else {
      throw TestAuthority.Failure(call: "SSL_CTX_new")
    }
    SSL_CTX_set_session_id_context(context, [1], 1)
    let chosen = UnsafeMutableRawPointer(mutating: name.utf8Start)
    SSL_CTX_set_alpn_select_cb(
      context,
      { _, out, outLength, offered, offeredLength, name in
        guard let name, let out, let outLength, let offered else { return SSL_TLSEXT_ERR_NOACK }
        let wanted = name.assumingMemoryBound(to: UInt8.self)
        let length = strlen(name.assumingMemoryBound(to: CChar.self))
        var start = 0
        while start < Int(offeredLength) {
          let count = Int(offered[start])
          if count == length, memcmp(offered + start + 1, wanted, count) == 0 {
            out.pointee = offered + start + 1
            outLength.pointee = UInt8(count)
            return SSL_TLSEXT_ERR_OK
          }
          start += 1 + count
        }
        return SSL_TLSEXT_ERR_NOACK
      }, chosen)
    return context
  }

  private static func listen() throws -> (OwnedDescriptor, Int) {
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw SystemError.last("open a socket") }
    let descriptor = OwnedDescriptor(raw)
    let loopback = SocketAddress(ip: .init(v4: 0x7f00_0001), port: 0)
    var storage = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = loopback.withSocketAddress { bind(raw, $0, $1) | Glibc.listen(raw, 64) }
    let isKnown = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(raw, $0, &length) }
    }
    guard isBound == 0, isKnown == 0 else { throw SystemError.last("listen") }
    return (descriptor, Int(UInt16(bigEndian: storage.sin_port)))
  }

  private func run() {
    while true {
      let raw = accept(listener.raw, nil, nil)
      guard raw >= 0 else { return }
      let number: Int? = state.withLock { state in
        guard !state.isStopped else { return nil }
        state.open.append(raw)
        state.record.connections += 1
        return state.record.connections - 1
      }
      guard let number,
        let made = try? BlockingThread("test-h2", { [self] in serve(raw, number) })
      else {
        close(raw)
        continue
      }
      threads.withLock { $0.append(made) }
    }
  }

  private func serve(_ raw: Int32, _ number: Int) {
    defer {
      state.withLock { $0.open.removeAll { $0 == raw } }
      close(raw)
    }
    let wire = ServerWire(raw: raw, ssl: context.flatMap { SSL_new($0) })
    guard wire.accept() else { return }
    HTTP2Conversation(self, wire, number, greeting).run()
  }

  /// Notes a request and gives what to answer.
  fileprivate func answer(
    _ connection: Int, _ stream: Int32, _ fields: [String: String], openStreams: Int
  ) -> Answer {
    let request = state.withLock { state in
      let request = Request(
        number: state.record.requests.count, connection: connection, stream: stream,
        fields: fields)
      state.record.requests.append(request)
      state.record.mostAtOnce = max(state.record.mostAtOnce, openStreams)
      return request
    }
    return script(request)
  }

  fileprivate func note(_ change: (inout Record) -> Void) {
    state.withLock { change(&$0.record) }
  }
}

/// A blocking connection, encrypted or not. Confined to its thread.
private final class ServerWire {
  private let raw: Int32
  private let ssl: OpaquePointer?

  init(raw: Int32, ssl: OpaquePointer?) {
    self.raw = raw
    self.ssl = ssl
    if let ssl { SSL_set_fd(ssl, raw) }
  }

  deinit { if let ssl { SSL_free(ssl) } }

  func accept() -> Bool { ssl.map { SSL_accept($0) == 1 } ?? true }

  func send(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return true }
    if let ssl { return SSL_write(ssl, bytes, Int32(bytes.count)) > 0 }
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }

  /// Nil at the end.
  func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count =
      ssl.map { Int(SSL_read($0, &buffer, Int32(buffer.count))) }
      ?? recv(raw, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  func end() {
    if let ssl { SSL_shutdown(ssl) }
    shutdown(raw, Int32(SHUT_WR))
    while receive() != nil {}
  }
}

/// One connection's course. Confined to its thread.
private final class HTTP2Conversation {
  private let server: HTTP2Server
  private let wire: ServerWire
  private let number: Int
  private let greeting: [UInt8]
  private var reader = HTTP2FrameReader()
  private var inflater: OpaquePointer?
  private var open: Set<Int32> = []

  init(_ server: HTTP2Server, _ wire: ServerWire, _ number: Int, _ greeting: [UInt8]) {
    self.server = server
    self.wire = wire
    self.number = number
    self.greeting = greeting
    nghttp2_hd_inflate_new(&inflater)
  }

  deinit { nghttp2_hd_inflate_del(inflater) }

  func run() {
    var isHTTP2: Bool?
    while let bytes = wire.receive() {
      reader.add(bytes)
      if isHTTP2 == nil {
        isHTTP2 = reader.takePreface()
        if isHTTP2 == false { return serveHTTP1(bytes) }
        if isHTTP2 == true { guard wire.send(greeting) else { return } }
      }
      guard isHTTP2 == true else { continue }
      // All requests that came together are answered after all were seen.
      var answers: [HTTP2Server.Answer] = []
      while let frame = reader.next() { answers += take(frame) }
      for answer in answers {
        switch answer {
        case .send(let bytes): guard wire.send(bytes) else { return }
        case .sendAndClose(let bytes):
          _ = wire.send(bytes)
          return wire.end()
        case .sendInTurn(let parts):
          for part in parts { guard wire.send(part()) else { return } }
        }
      }
    }
  }

  private func take(_ frame: HTTP2FrameReader.Frame) -> [HTTP2Server.Answer] {
    if frame.isKind(.settings), frame.flags & 1 == 0 {
      return [.send(HTTP2Frame.settingsAcknowledged)]
    }
    if frame.isKind(.reset) {
      open.remove(frame.stream)
      server.note { $0.resets.append((frame.stream, frame.word)) }
    }
    if frame.isKind(.goAway) { server.note { $0.goAways += 1 } }
    guard frame.isKind(.headers) else { return [] }
    open.insert(frame.stream)
    let answer = server.answer(
      number, frame.stream, inflate(frame.payload), openStreams: open.count)
    if case .send(let bytes) = answer, !bytes.isEmpty { open.remove(frame.stream) }
    return [answer]
  }

  private func inflate(_ block: [UInt8]) -> [String: String] {
    var fields: [String: String] = [:]
    var input = block[...]
    while !input.isEmpty {
      var field = nghttp2_nv()
      var flags: Int32 = 0
      let count = input.withUnsafeBufferPointer {
        nghttp2_hd_inflate_hd2(inflater, &field, &flags, $0.baseAddress, $0.count, 1)
      }
      guard count >= 0 else { break }
      input = input.dropFirst(count)
      if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
        let name = UnsafeBufferPointer(start: field.name, count: field.namelen)
        let value = UnsafeBufferPointer(start: field.value, count: field.valuelen)
        fields[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
      }
      if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
    }
    nghttp2_hd_inflate_end_headers(inflater)
    return fields
  }

  private func serveHTTP1(_ first: [UInt8]) {
    var bytes: [UInt8]? = first
    while bytes != nil {
      server.note { $0.http1Requests += 1 }
      let body = "by HTTP/1.1"
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      guard wire.send(Array((head + body).utf8)) else { return }
      bytes = wire.receive()
    }
  }
}
