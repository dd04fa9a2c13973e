import Models
import Testing
import Transport

@testable import Engine

/// The causes that the fields of a refusal tell.
@Suite struct RefusalHintTests {
  private static let day = "Mon, 30 Nov 2026 00:00:00 GMT"
  private static let seconds: Int64 = 1_795_996_800

  private func text(
    _ status: Int, _ fields: KeyValuePairs<String, String>, now: Int64 = seconds
  ) throws -> String? {
    var all = HTTPFields()
    for (name, value) in fields { all.append(name, value) }
    let head = ResponseHead(status: status, url: try HTTPURL("http://h/"), fields: all)
    return RefusalHint(head)?.text(now: now)
  }

  @Test("A server that asks for credentials is told from one whose scheme is not supported")
  func credentials() throws {
    let basic = "the server requires a user name and a password that it accepts (--user, --netrc)"
    #expect(
      try text(401, ["WWW-Authenticate": "Digest a=b", "WWW-Authenticate": "basic a=b"]) == basic)
    #expect(
      try text(401, ["WWW-Authenticate": "Digest a=b, NTLM"])
        == "the server requires Digest or NTLM authentication, which imgdl does not support")
    #expect(try text(401, ["WWW-Authenticate": "Bearer"])?.contains("--header") == true)
    #expect(try text(401, [:]) == nil)
    #expect(try text(403, ["WWW-Authenticate": "Basic"]) == nil)
  }

  @Test("A clock that is wrong is named where a bucket refuses a signature, and only there")
  func clocks() throws {
    let fields: KeyValuePairs = ["Date": Self.day, "x-amz-request-id": "1"]
    #expect(try text(403, fields) == nil)
    #expect(try text(403, fields, now: Self.seconds - 900) == nil)
    #expect(
      try text(403, fields, now: Self.seconds - 3_600)
        == "the clocks of this machine and of the server differ by 60 minutes")
    #expect(try text(403, fields, now: Self.seconds + 3_600)?.contains("60 minutes") == true)
    #expect(try text(403, ["Date": Self.day], now: 0) == nil)
    #expect(try text(404, fields, now: 0) == nil)
  }

  @Test("The region of a bucket is named if it is a name")
  func regions() throws {
    #expect(
      try text(400, ["x-amz-request-id": "1", "x-amz-bucket-region": "eu-west-1"])
        == "the bucket is in the region eu-west-1 (s3.endpoints)")
    #expect(
      try text(400, ["x-amz-request-id": "1", "x-amz-bucket-region": "\u{1b}[2J"]) == nil)
    #expect(try text(400, ["x-amz-bucket-region": "eu-west-1"]) == nil)
  }

  @Test("The reason of a failure has the hint behind the status")
  func reasons() throws {
    var fields = HTTPFields()
    fields.append("WWW-Authenticate", "Negotiate")
    let failure = DownloadFailure.refused(
      ResponseHead(status: 401, url: try HTTPURL("http://h/"), fields: fields))
    #expect(
      failure.reason
        == "HTTP 401 Unauthorized: the server requires Negotiate authentication, which imgdl does not support"
    )
    #expect(!failure.isRetryable)
  }
}
