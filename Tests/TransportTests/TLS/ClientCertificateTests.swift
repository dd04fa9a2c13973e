import COpenSSL
import Models
import SystemCalls
import TestSupport
import Testing
import Transport
import TransportContracts
import TransportSocket

/// Servers that want to know who we are.
@Suite("Client certificates")
struct ClientCertificateTests {
  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret"

  private func transport(
    _ authority: TestAuthority, certificate: String, key: String = ""
  ) -> SocketTransport {
    var options = SocketOptions()
    options.authorities = authority.path
    options.certificate = certificate
    options.privateKey = key
    return SocketTransport(options)
  }

  @Test("A server that requests a certificate gets ours, and none without one")
  func shown() async throws {
    let authority = try TestAuthority()
    let folder = try TemporaryFolder()
    let path = folder.path + "/me.pem"
    try authority.issue(names: nil, commonName: "me").write(to: path)
    let server = try TLSServer(
      try authority.issue(names: "DNS:localhost"), demanding: authority
    ) { _ in (Self.answer, .keep) }
    let known = transport(authority, certificate: path)
    let fetched = try await known.fetch(server.url)
    #expect(fetched.body == Array("secret".utf8))
    await known.shutdown()
    let split = transport(authority, certificate: path, key: path)
    _ = try await split.fetch(server.url)
    await split.shutdown()
    server.stop()
  }

  /// In TLS 1.3 the refusal arrives when the handshake is complete for the client, in place of a response.
  @Test(
    "A server that refuses a client says so with an alert, and the error is one of TLS",
    arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func refused(version: Int32) async throws {
    let authority = try TestAuthority()
    let folder = try TemporaryFolder()
    let path = folder.path + "/stranger.pem"
    try TestAuthority().issue(names: nil, commonName: "stranger").write(to: path)
    let server = try TLSServer(
      try authority.issue(names: "DNS:localhost"), newestVersion: version, demanding: authority
    ) { _ in (Self.answer, .keep) }
    for (certificate, named) in [
      ("", "requires a client certificate"), (path, "does not accept the client certificate"),
    ] {
      let transport = transport(authority, certificate: certificate)
      let error = try await transport.failure(server.url)
      #expect(error.code == .tls && error.detail.contains(named), "\(error.detail)")
      await transport.shutdown()
    }
    server.stop()
  }

  @Test("A file that cannot be used is named, before anything is sent")
  func unusable() async throws {
    let authority = try TestAuthority()
    let folder = try TemporaryFolder()
    let mine = folder.path + "/me.pem"
    let other = folder.path + "/other.pem"
    let empty = folder.path + "/empty.pem"
    try authority.issue(names: nil).write(to: mine)
    try authority.issue(names: nil).write(to: other)
    try FileSystem.replace(empty, with: "", syncing: false)
    let server = try TLSServer(try authority.issue(names: "DNS:localhost")) { _ in
      (Self.answer, .keep)
    }
    for (certificate, key, named) in [
      (folder.path + "/none.pem", "", "none.pem: No such file or directory"),
      (empty, "", "empty.pem: not PEM"), (mine, other, "other.pem: key values mismatch"),
      (mine, empty, "empty.pem: it is not in the file"),
    ] {
      let transport = transport(authority, certificate: certificate, key: key)
      let error = try await transport.failure(server.url)
      #expect(error.code == .tls && error.detail.contains(named), "\(error.detail)")
      await transport.shutdown()
    }
    server.stop()
    #expect(server.record.receivedBytes == 0)
  }
}
