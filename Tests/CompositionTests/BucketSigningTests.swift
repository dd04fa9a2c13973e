import Models
import TestSupport
import Testing

@testable import Composition

@Suite("Signed requests by settings")
struct BucketSigningTests {
  private let keys = ["AWS_ACCESS_KEY_ID": "AKIAENV", "AWS_SECRET_ACCESS_KEY": "s3cret"]

  private func signing(
    _ endpoints: [String], file: String = "", _ environment: [String: String]
  ) throws(SettingError) -> BucketSigning? {
    var settings = Settings().s3
    settings.endpoints = endpoints
    settings.credentialsFile = file
    return try BucketSigning(settings, environment: environment)
  }

  private func scope(_ signing: BucketSigning?, _ url: String) throws -> String? {
    let fields = signing?.signature(of: try HTTPURL(url), HTTPFields(), at: 0)
    return fields?["Authorization"].map {
      String($0.prefix { $0 != "," }.drop { $0 != "=" }.dropFirst())
    }
  }

  @Test("without an endpoint nothing is signed, even with credentials in the environment")
  func none() throws {
    #expect(try signing([], keys) == nil)
    #expect(try signing([], file: "/missing", [:]) == nil)
  }

  @Test("only requests to the named origins are signed, each with its region")
  func origins() throws {
    let signing = try signing(
      ["http://127.0.0.1:9000 garage", "https://s3.eu-west-1.amazonaws.com", "https://h"], keys)
    for (url, scope) in [
      ("http://127.0.0.1:9000/b/k", "AKIAENV/19700101/garage/s3/aws4_request"),
      ("https://s3.eu-west-1.amazonaws.com/b?x", "AKIAENV/19700101/eu-west-1/s3/aws4_request"),
      ("https://h/", "AKIAENV/19700101/us-east-1/s3/aws4_request"),
    ] {
      #expect(try self.scope(signing, url) == scope)
    }
    for url in [
      "https://127.0.0.1:9000/b/k", "http://127.0.0.1/b/k", "http://h/", "https://h:8443/",
      "https://b.s3.eu-west-1.amazonaws.com/", "https://x.h/",
    ] {
      #expect(try scope(signing, url) == nil, "\(url)")
    }
  }

  @Test("the environment sets the region of hosts that name none")
  func region() throws {
    let endpoints = ["https://h", "https://s3.eu-west-1.amazonaws.com"]
    for (variables, region) in [
      (["AWS_REGION": "a", "AWS_DEFAULT_REGION": "b"], "a"), (["AWS_DEFAULT_REGION": "b"], "b"),
      (["AWS_REGION": ""], "us-east-1"),
    ] {
      let signing = try signing(endpoints, keys.merging(variables) { $1 })
      #expect(
        try scope(signing, "https://h/") == "AKIAENV/19700101/\(region)/s3/aws4_request")
      #expect(
        try scope(signing, "https://s3.eu-west-1.amazonaws.com/")?.contains("eu-west") == true)
    }
  }

  @Test("the file precedes the environment, with the profile of AWS's tools")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "keys",
      Array(
        """
        [default]
        aws_access_key_id = AKIAONE
        aws_secret_access_key = x
        [two]
        aws_access_key_id = AKIATWO
        aws_secret_access_key = y
        """.utf8))
    let one = try signing(["https://h"], file: path, keys)
    #expect(try scope(one, "https://h/")?.hasPrefix("AKIAONE/") == true)
    let two = try signing(["https://h"], file: path, ["AWS_PROFILE": "two"])
    #expect(try scope(two, "https://h/")?.hasPrefix("AKIATWO/") == true)
    let error = #expect(throws: SettingError.self) {
      try signing(["https://h"], file: path, ["AWS_PROFILE": "three"])
    }
    #expect(error?.description.contains("\"three\"") == true)
  }

  @Test(
    "an error names the setting and no secret",
    arguments: [
      (["https://h"], [:], "there is no access key"),
      (["https://h"], ["AWS_ACCESS_KEY_ID": "AKIA"], "there is no access key"),
      (["https://h/b"], nil, "a path"), (["https://me:s3cret@h"], nil, "***@h"),
      (
        ["https://h"], ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "s3cret é"], "characters"
      ),
    ] as [([String], [String: String]?, String)])
  func errors(_ endpoints: [String], _ environment: [String: String]?, _ words: String) {
    let error = #expect(throws: SettingError.self) {
      try signing(endpoints, environment ?? keys)
    }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("s3.endpoints: ") && text.contains(words), "\(text)")
    #expect(!text.contains("s3cret"))
  }
}
