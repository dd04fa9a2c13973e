import Models
import Testing

@testable import Transport

@Suite("Signed requests and redirects")
struct SignerTests {
  private struct Signer: RequestSigner {
    func signature(of url: HTTPURL, _ fields: HTTPFields, at time: Int64) -> HTTPFields? {
      guard url.host == "s3.example", fields["Authorization"] == nil else { return nil }
      return HTTPFields(["X-Amz-Date": "\(time)", "Authorization": "signed \(url.target)"])
    }
  }

  private func policy(
    _ url: String, _ fields: HTTPFields = HTTPFields(), netrc: String = "",
    isNamedByResponse: Bool = false
  ) throws -> RedirectPolicy {
    var request = TransportRequest(url: try HTTPURL(url), fields: fields, addresses: .any)
    request.isNamedByResponse = isNamedByResponse
    request.credentials = Credentials(netrc: try Netrc(netrc), signer: Signer(), now: { 7 })
    return RedirectPolicy(request)
  }

  @Test("Only the first request to a chosen origin is signed")
  func first() throws {
    #expect(try policy("https://other.example/a").fields.isEmpty)
    var policy = try policy("https://s3.example/a", HTTPFields(["Range": "bytes=0-9"]))
    #expect(policy.fields.fields.map(\.name) == ["Range", "X-Amz-Date", "Authorization"])
    #expect(policy.fields["X-Amz-Date"] == "7")
    // Neither another origin nor the same one gets a signature for a URL that a server has chosen.
    for location in ["/b", "https://other.example/", "https://s3.example/c"] {
      #expect(
        try policy.handle(status: 307, fields: HTTPFields(["Location": location])) == .follow)
      #expect(policy.fields["Authorization"] == nil && policy.fields["X-Amz-Date"] == nil)
    }
  }

  @Test("A request whose URL an earlier response has named is not signed, but gets a password")
  func namedByResponse() throws {
    #expect(try policy("https://s3.example/a", isNamedByResponse: true).fields.isEmpty)
    let fields = try policy(
      "https://s3.example/a", netrc: "machine s3.example login me password x",
      isNamedByResponse: true
    ).fields
    #expect(fields.fields.map(\.name) == ["Authorization"])
    #expect(fields["Authorization"]?.hasPrefix("Basic ") == true)
  }

  @Test("A signed request does not go from https to http")
  func downgrade() throws {
    var policy = try policy("https://s3.example/a")
    #expect(throws: TransportError.self) {
      try policy.handle(status: 307, fields: HTTPFields(["Location": "http://s3.example/a"]))
    }
  }

  @Test("A field of the caller precedes the signature, which precedes a password")
  func precedence() throws {
    let netrc = "machine s3.example login me password x"
    #expect(
      try policy("https://s3.example/a", netrc: netrc).fields.all("Authorization")
        == ["signed /a"])
    #expect(
      try policy(
        "https://s3.example/a", HTTPFields(["Authorization": "Bearer y"]), netrc: netrc
      ).fields.all("Authorization") == ["Bearer y"])
  }
}
