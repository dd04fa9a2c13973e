import COpenSSL
import Models
import Origin
import Transport
import TransportContracts

/// One way in which a server fails to prove who it is, or fails to speak TLS.
struct TLSFault: Sendable {
  let name: String
  /// As it stands in the URL.
  var host = "localhost"
  var newestVersion = TLS1_3_VERSION
  var speaksHTTP1 = true
  let expected: String
  let identity: @Sendable (TestAuthority) throws -> TestIdentity

  init(
    _ name: String, host: String = "localhost", newestVersion: Int32 = TLS1_3_VERSION,
    speaksHTTP1: Bool = true, expected: String = "tls, 0 requests",
    _ identity: @escaping @Sendable (TestAuthority) throws -> TestIdentity
  ) {
    self.name = name
    self.host = host
    self.newestVersion = newestVersion
    self.speaksHTTP1 = speaksHTTP1
    self.expected = expected
    self.identity = identity
  }

  /// What came of it, and how many requests the server got to see.
  func verdict(_ transport: any Transport) async throws -> String {
    let identity = try identity(try Scheme.authority.get())
    let security = try TestSecurity(
      identity, newestVersion: newestVersion, speaksHTTP1: speaksHTTP1)
    let server = try ScriptedServer.$security.withValue(security) {
      try ScriptedServer { _, _, _ in .ok("secret") }
    }
    defer { server.stop() }
    let sink = CollectingSink()
    var outcome: String
    let url = try HTTPURL("https://\(host):\(server.port)/")
    do throws(TransportError) {
      let response = try await transport.perform(
        TransportRequest(url: url, limits: .faults, addresses: .any), into: sink)
      outcome = Verdict.of(response, sink.body)
    } catch {
      outcome = error.code.rawValue
    }
    return "\(outcome), \(server.requests.count) requests"
  }
}

extension TLSFault {
  /// T1 to T13: nothing may be asked of such a server.
  static let cases: [TLSFault] =
    [
      TLSFault("a certificate of a known authority", expected: "200 \"secret\", 1 requests") {
        try $0.issue(names: "DNS:localhost")
      },
      TLSFault(
        "a certificate for the address", host: "127.0.0.1", expected: "200 \"secret\", 1 requests"
      ) { try $0.issue(names: "IP:127.0.0.1") },
      TLSFault("expired") {
        try $0.issue(names: "DNS:localhost", validFrom: -7_200, validFor: 3_600)
      },
      TLSFault("not yet valid") { try $0.issue(names: "DNS:localhost", validFrom: 3_600) },
      TLSFault("self-signed") { try $0.issue(names: "DNS:localhost", isSelfSigned: true) },
      TLSFault("of an unknown authority") { _ in
        try TestAuthority("a stranger").issue(names: "DNS:localhost")
      },
      TLSFault("of an authority between that is not sent") {
        try TestAuthority("between", issuer: $0).issue(names: "DNS:localhost")
      },
      TLSFault("of an authority that is none") {
        try TestAuthority("no authority", issuer: $0, isAuthority: false)
          .issue(names: "DNS:localhost")
      },
    ] + names + versions

  private static let names: [TLSFault] =
    [
      ("for another host", "DNS:other.example"), ("for a name below it", "DNS:a.localhost"),
      ("for all names below it", "DNS:*.localhost"), ("for a part and a wildcard", "DNS:local*"),
      ("for every name", "DNS:*"), ("for the address only", "IP:127.0.0.1"),
      // [2] IA5String "localhost", NUL, ".example" in a SEQUENCE.
      (
        "with a NUL in its name",
        "DER:30:14:82:12:6c:6f:63:61:6c:68:6f:73:74:00:2e:65:78:61:6d:70:6c:65"
      ),
    ].map { name, value in TLSFault(name) { try $0.issue(names: value) } } + [
      TLSFault("with the name as its subject only") {
        try $0.issue(names: nil, commonName: "localhost")
      },
      TLSFault("with the name as its subject, and others") {
        try $0.issue(names: "DNS:other.example", commonName: "localhost")
      },
      TLSFault("with an address as a name", host: "127.0.0.1") {
        try $0.issue(names: "DNS:127.0.0.1")
      },
      TLSFault("for another address", host: "127.0.0.1") {
        try $0.issue(names: "IP:127.0.0.2,DNS:localhost")
      },
    ]

  private static let versions: [TLSFault] = [
    TLSFault("TLS 1.2", newestVersion: TLS1_2_VERSION, expected: "200 \"secret\", 1 requests") {
      try $0.issue(names: "DNS:localhost")
    },
    TLSFault("TLS 1.1 only", newestVersion: TLS1_1_VERSION) {
      try $0.issue(names: "DNS:localhost")
    },
    TLSFault("TLS 1.0 only", newestVersion: TLS1_VERSION) {
      try $0.issue(names: "DNS:localhost")
    },
    TLSFault("no protocol that both know", speaksHTTP1: false) {
      try $0.issue(names: "DNS:localhost")
    },
  ]
}
