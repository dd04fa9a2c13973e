import COpenSSL
import Glibc
import Synchronization
import SystemCalls
import Threading

@testable import TransportSocket

/// A small TLS server on loopback that answers requests by a script, one connection at a time.
///
/// `@unchecked`: the C handle is not changed after `init`; OpenSSL allows its use on any thread.
final class TLSServer: @unchecked Sendable {
  enum Ending {
    case keep
    /// With close_notify.
    case close
    /// The connection ends, TLS does not.
    case cut
  }

  /// What a test asks about afterwards.
  struct Record: Sendable {
    var connections = 0
    /// Of each handshake that was completed, nil where the client named no server.
    var serverNames: [String?] = []
    /// Bytes of requests, all connections together.
    var receivedBytes = 0
    var resumed = 0
    /// Connections that the client ended with close_notify.
    var cleanEnds = 0
  }

  typealias Script = @Sendable (_ request: Int) -> (answer: String, ending: Ending)

  private let context: OpaquePointer
  private let listener: OwnedDescriptor
  private let script: Script
  private let isMute: Bool
  private let state = Mutex((record: Record(), current: Int32(-1), isStopped: false))
  private let thread = Mutex<BlockingThread?>(nil)
  let port: Int

  /// - Parameters:
  ///   - isMute: accepts connections and says nothing.
  ///   - authority: clients must show a certificate of it.
  ///   - newestVersion: of TLS, such as `TLS1_2_VERSION`.
  init(
    _ identity: TestIdentity, newestVersion: Int32 = TLS1_3_VERSION, protocols: [String] = [],
    isMute: Bool = false, demanding authority: TestAuthority? = nil, script: @escaping Script
  ) throws {
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw TestAuthority.Failure(call: "SSL_CTX_new")
    }
    self.context = context
    self.script = script
    self.isMute = isMute
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(newestVersion), nil)
    SSL_CTX_set_session_id_context(context, [1], 1)
    (listener, port) = try Self.listen()
    guard identity.install(in: context) else { throw TestAuthority.Failure(call: "use_PrivateKey") }
    if let authority {
      SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
      SSL_CTX_load_verify_locations(context, authority.path, nil)
    }
    if protocols == ["h2"] { Self.demandHTTP2(context) }
    let made = try BlockingThread("test-tls") { [self] in run() }
    thread.withLock { $0 = made }
  }

  deinit { SSL_CTX_free(context) }

  var record: Record { state.withLock { $0.record } }

  var url: String { "https://localhost:\(port)/" }

  /// Ends everything; the record is complete then. The server lives until this is called.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      if state.current >= 0 { shutdown(state.current, Int32(SHUT_RDWR)) }
    }
    shutdown(listener.raw, Int32(SHUT_RDWR))
    thread.withLock { $0.take() }?.join()
  }

  private static func listen() throws -> (OwnedDescriptor, Int) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let raw = socket(AF_INET, type, 0)
    guard raw >= 0 else { throw SystemError.last("open a socket") }
    let descriptor = OwnedDescriptor(raw)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(raw, $0, length) | Glibc.listen(raw, 16) | getsockname(raw, $0, &length)
      }
    }
    guard result == 0 else { throw SystemError.last("listen") }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func demandHTTP2(_ context: OpaquePointer) {
    SSL_CTX_set_alpn_select_cb(
      context, { _, _, _, _, _, _ in SSL_TLSEXT_ERR_ALERT_FATAL }, nil)
  }

  private func run() {
    while true {
      let raw = accept(listener.raw, nil, nil)
      guard raw >= 0 else { return }
      let isStopped = state.withLock { state in
        state.record.connections += 1
        state.current = raw
        return state.isStopped
      }
      if !isStopped { isMute ? waitForEnd(raw) : serve(raw) }
      state.withLock { $0.current = -1 }
      close(raw)
    }
  }

  private func waitForEnd(_ raw: Int32) {
    var byte: UInt8 = 0
    while recv(raw, &byte, 1, 0) > 0 {}
  }

  private func serve(_ raw: Int32) {
    guard let ssl = SSL_new(context) else { return }
    defer { SSL_free(ssl) }
    SSL_set_fd(ssl, raw)
    guard SSL_accept(ssl) == 1 else {
      // Unread input would reset the connection, and the alert could be lost.
      shutdown(raw, Int32(SHUT_WR))
      return waitForEnd(raw)
    }
    let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    state.withLock { state in
      state.record.serverNames.append(name)
      if SSL_session_reused(ssl) == 1 { state.record.resumed += 1 }
    }
    var number = 0
    while readRequest(ssl) {
      let (answer, ending) = script(number)
      number += 1
      let bytes = Array(answer.utf8)
      guard bytes.isEmpty || SSL_write(ssl, bytes, Int32(bytes.count)) > 0 else { return }
      switch ending {
      case .keep: continue
      case .close: SSL_shutdown(ssl)
      case .cut: break
      }
      // Reading on avoids a reset, which would be another fault than the one asked for.
      shutdown(raw, Int32(SHUT_WR))
      return waitForEnd(raw)
    }
  }

  private func readRequest(_ ssl: OpaquePointer) -> Bool {
    var tail: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !tail.suffix(4).elementsEqual([13, 10, 13, 10]) {
      let count = SSL_read(ssl, &buffer, Int32(buffer.count))
      guard count > 0 else {
        if SSL_get_error(ssl, count) == SSL_ERROR_ZERO_RETURN {
          state.withLock { $0.record.cleanEnds += 1 }
        }
        return false
      }
      tail += buffer[..<Int(count)]
      state.withLock { $0.record.receivedBytes += Int(count) }
    }
    return true
  }
}
