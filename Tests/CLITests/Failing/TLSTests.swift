import SystemCalls
import Testing

@Suite struct TLSTests {
  static let openssl = "/usr/bin/openssl"

  @Test(
    "a certificate without a trusted issuer is exit code 5, or accepted on request",
    .enabled(if: FileSystem.isExecutable(openssl), "openssl is missing"))
  func selfSigned() async throws {
    try await Rig.run { rig in
      let made = try await rig.start(
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
          "-keyout", "key.pem", "-out", "certificate.pem", "-days", "2", "-subj", "/CN=localhost",
          "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        ], program: Self.openssl
      ).ending()
      try #require(made.code == 0, "\(made.errors)")
      try rig.write("picture.png", Sample.image(1))
      let server = try rig.start(
        [
          "s_server", "-accept", "127.0.0.1:0", "-cert", "certificate.pem", "-key", "key.pem",
          "-WWW",
        ], program: Self.openssl)
      try #require(await server.waits { $0.contains("ACCEPT ") && $0.hasSuffix("\n") })
      let port = try #require(
        server.output.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }?.split(separator: ":")
          .last)
      let url = "https://127.0.0.1:\(port)/picture.png"

      let refused = try await rig.imgdl("add", "--retry", "0", url)
      #expect(refused.code == 5, "\(refused.errors)")
      #expect(refused.errors.contains(url))
      #expect(refused.errors.contains("certificate"))
      #expect(refused.errors.contains("--cacert FILE"), "\(refused.errors)")
      #expect(refused.errors.contains("-k (network.insecure)"), "\(refused.errors)")
      let message = refused.errors.split(separator: "\n").first ?? ""
      #expect(message.split(separator: "https://").count == 2, "the URL is named once: \(message)")
      let trusted = try await rig.imgdl(
        "add", "--retry", "0", "--cacert", rig.root + "/certificate.pem", url)
      #expect(trusted.code == 0, "\(trusted.errors)")
      let insecure = try await rig.imgdl("add", "--retry", "0", "-k", url)
      #expect(insecure.code == 0, "\(insecure.errors)")
      #expect(insecure.errors.contains("certificates are not checked"))
      server.signal(9)
      _ = await server.ending()
    }
  }
}
