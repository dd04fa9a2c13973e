import Models
import RequestSigning
import Testing

/// The examples of the Amazon S3 API Reference, "Signature Calculations for the Authorization Header:
/// Transferring Payload in a Single Chunk", with the access key that AWS uses in its documents.
@Suite("Signatures that AWS has published")
struct PublishedExampleTests {
  private func authorization(
    _ url: String, _ fields: HTTPFields = HTTPFields()
  ) throws -> String? {
    let credentials = try #require(
      SigningCredentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
    let signature = RequestSignature(credentials, region: "us-east-1")
    // 2013-05-24 00:00 UTC
    let added = try #require(
      signature.fields(for: try HTTPURL(url), fields, at: 1_369_353_600))
    #expect(added["X-Amz-Date"] == "20130524T000000Z")
    #expect(
      added["X-Amz-Content-SHA256"]
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    return added["Authorization"]
  }

  private func expected(_ names: String, _ signature: String) -> String {
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
      + "SignedHeaders=\(names), Signature=\(signature)"
  }

  @Test("GET Object")
  func object() throws {
    #expect(
      try authorization(
        "https://examplebucket.s3.amazonaws.com/test.txt", HTTPFields(["Range": "bytes=0-9"]))
        == expected(
          "host;range;x-amz-content-sha256;x-amz-date",
          "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"))
  }

  @Test(
    "GET Bucket",
    arguments: [
      ("?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
      ("?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
      ("?prefix=J&max-keys=2", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
  func bucket(_ query: String, _ signature: String) throws {
    #expect(
      try authorization("https://examplebucket.s3.amazonaws.com/\(query)")
        == expected("host;x-amz-content-sha256;x-amz-date", signature))
  }
}
