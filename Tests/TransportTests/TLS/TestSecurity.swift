import COpenSSL
import Origin
import Synchronization

/// TLS for a `ScriptedServer`, with a certificate of the tests.
///
/// `@unchecked`: the C handle is not changed after `init`; OpenSSL allows its use on any thread.
final class TestSecurity: ConnectionSecurity, @unchecked Sendable {
  /// What a test asks about afterwards.
  struct Record: Sendable {
    /// Handshakes that were completed.
    var handshakes = 0
    /// Of each of them, nil where the client named no server.
    var serverNames: [String?] = []
    var resumed = 0
  }

  private let context: OpaquePointer
  private let books = Mutex(Record())

  /// - Parameters:
  ///   - newestVersion: of TLS, such as `TLS1_2_VERSION`.
  ///   - speaksHTTP1: false for a server that agrees on HTTP/2 only.
  init(
    _ identity: TestIdentity, newestVersion: Int32 = TLS1_3_VERSION, speaksHTTP1: Bool = true
  ) throws {
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw TestAuthority.Failure(call: "SSL_CTX_new")
    }
    self.context = context
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(newestVersion), nil)
    SSL_CTX_set_session_id_context(context, [1], 1)
    guard identity.install(in: context) else { throw TestAuthority.Failure(call: "use_PrivateKey") }
    guard !speaksHTTP1 else { return }
    SSL_CTX_set_alpn_select_cb(
      context, { _, _, _, _, _, _ in SSL_TLSEXT_ERR_ALERT_FATAL }, nil)
  }

  deinit { SSL_CTX_free(context) }

  var record: Record { books.withLock { $0 } }

  func secure(_ socket: Int32) -> (any SecureStream)? {
    guard let ssl = SSL_new(context) else { return nil }
    let stream = TestStream(ssl)
    SSL_set_fd(ssl, socket)
    guard SSL_accept(ssl) == 1 else { return nil }
    let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    let isResumed = SSL_session_reused(ssl) == 1
    books.withLock { record in
      record.handshakes += 1
      record.serverNames.append(name)
      if isResumed { record.resumed += 1 }
    }
    return stream
  }
}

/// `@unchecked`: one thread of the server uses it, from the handshake to the end.
private final class TestStream: SecureStream, @unchecked Sendable {
  private let ssl: OpaquePointer

  init(_ ssl: OpaquePointer) { self.ssl = ssl }

  deinit { SSL_free(ssl) }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    Int(SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count)))
  }

  func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    Int(SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)))
  }

  func end() { SSL_shutdown(ssl) }
}

/// How a server is reached. Servers and transports that are made inside `run` fit together.
enum Scheme: String, CaseIterable, Sendable {
  case http, https

  /// One authority for the process: what it signs is trusted by the transports of `Backend`.
  static let authority = Result { try TestAuthority() }

  /// Of the servers that are made here.
  static var current: Scheme { ScriptedServer.security == nil ? .http : .https }

  func run<Result>(_ body: () async throws -> Result) async throws -> Result {
    guard self == .https else { return try await body() }
    let identity = try Self.authority.get().issue(names: "IP:127.0.0.1,DNS:localhost")
    return try await ScriptedServer.$security.withValue(try TestSecurity(identity)) {
      try await body()
    }
  }
}
