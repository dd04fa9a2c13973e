import HTTP1
import Testing

/// The challenges of a server that asks for credentials.
@Suite struct AuthenticationSchemesTests {
  @Test(
    "Schemes are told from their parameters, in the order of the server",
    arguments: [
      ([#"Basic realm="a, Bearer b", charset="UTF-8""#], ["Basic"]),
      (
        [#"Digest realm="x", qop="auth, auth-int", nonce = "n", Basic realm="y""#],
        ["Digest", "Basic"]
      ),
      (["Negotiate", "NTLM"], ["Negotiate", "NTLM"]),
      (["Negotiate, NTLM TlRMTVNTUAAC==", "negotiate"], ["Negotiate", "NTLM"]),
      ([#"Bearer error="a \" Basic x", scope="s""#], ["Bearer"]),
      ([" , ,\tbasic", "Ba(sic x", "realm=x", ""], ["basic"]),
    ] as [([String], [String])])
  func names(values: [String], names: [String]) {
    #expect(AuthenticationSchemes(values).names == names)
  }

  @Test("The case of a name does not matter")
  func cases() {
    let schemes = AuthenticationSchemes(["bASIC realm=x"])
    #expect(schemes.contains("Basic"))
    #expect(!schemes.contains("Digest"))
  }

  @Test("The number of schemes and the length of a name are bounded")
  func bounds() {
    let many = (0..<100).map { "s\($0) a=b" }.joined(separator: ", ")
    #expect(AuthenticationSchemes([many]).names == (0..<8).map { "s\($0)" })
    #expect(AuthenticationSchemes([String(repeating: "s", count: 33)]).names == [])
  }
}
