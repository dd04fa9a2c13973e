import Models
import RequestSigning
import Testing

@Suite("Access keys and endpoints")
struct SigningSettingsTests {
  @Test(
    "An endpoint is an origin with a region, which the hosts of AWS name",
    arguments: [
      ("https://s3.eu-west-1.amazonaws.com", "https://s3.eu-west-1.amazonaws.com", "eu-west-1"),
      (
        "https://birds.s3.eu-west-1.amazonaws.com/", "https://birds.s3.eu-west-1.amazonaws.com",
        "eu-west-1"
      ),
      (
        "https://a.b.s3-us-west-2.amazonaws.com", "https://a.b.s3-us-west-2.amazonaws.com",
        "us-west-2"
      ),
      (
        "https://s3.dualstack.us-east-2.amazonaws.com",
        "https://s3.dualstack.us-east-2.amazonaws.com", "us-east-2"
      ),
      (
        "https://s3.cn-north-1.amazonaws.com.cn", "https://s3.cn-north-1.amazonaws.com.cn",
        "cn-north-1"
      ),
      ("https://s3.amazonaws.com", "https://s3.amazonaws.com", nil),
      ("https://s3-external-1.amazonaws.com", "https://s3-external-1.amazonaws.com", nil),
      ("https://s3-accelerate.amazonaws.com", "https://s3-accelerate.amazonaws.com", nil),
      (
        "https://s3.eu-west-1.amazonaws.com.example", "https://s3.eu-west-1.amazonaws.com.example",
        nil
      ),
      (" http://127.0.0.1:9000\t garage ", "http://127.0.0.1:9000", "garage"),
      (
        "https://s3.eu-west-1.amazonaws.com us-east-1", "https://s3.eu-west-1.amazonaws.com",
        "us-east-1"
      ),
    ] as [(String, String, String?)])
  func endpoint(_ text: String, _ origin: String, _ region: String?) throws {
    let endpoint = try SigningEndpoint(text)
    #expect(endpoint.origin.description == origin)
    #expect(endpoint.region == region)
  }

  @Test(
    "A malformed endpoint is refused with a reason",
    arguments: [
      ("", "not a URL"), ("http://h a b", "not a URL"), ("s3.example", "not an http or https URL"),
      ("https://h/bucket", "a path"), ("https://h?x", "a path"), ("https://h eu/x", "a region"),
      ("https://me:secret@h", "credentials in URLs"),
    ])
  func malformedEndpoint(_ text: String, _ words: String) {
    let error = #expect(throws: SigningEndpointError.self) { try SigningEndpoint(text) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("secret") != true)
  }

  @Test("The file has the keys of profiles")
  func file() throws {
    let file = try SharedCredentialsFile(
      """
      # comment
      [default]
      aws_access_key_id = AKIA1\r
      aws_secret_access_key=a/b=c
      region = eu-west-1
      ; comment

      [ other ]
        AWS_ACCESS_KEY_ID = AKIA2
        aws_secret_access_key = s
        aws_session_token = t
      [empty]
      [half]
      aws_access_key_id = AKIA3
      """)
    #expect(
      file.credentials(of: "default")
        == SigningCredentials(accessKeyID: "AKIA1", secretAccessKey: "a/b=c"))
    #expect(
      file.credentials(of: "other")
        == SigningCredentials(accessKeyID: "AKIA2", secretAccessKey: "s", sessionToken: "t"))
    for name in ["empty", "half", "none", ""] { #expect(file.credentials(of: name) == nil) }
  }

  @Test(
    "A malformed file is named by its line",
    arguments: [
      ("[default\n", 1), ("aws_access_key_id = x\n", 1), ("[a]\n\nsecret\n", 3),
    ])
  func malformedFile(_ text: String, _ line: Int) {
    let error = #expect(throws: SharedCredentialsError.self) { try SharedCredentialsFile(text) }
    #expect(error?.line == line)
    #expect(error?.reason.contains("secret") == false)
  }

  @Test("Keys that a request cannot contain are refused")
  func malformedKeys() {
    for text in ["", "a b", "a\n", "é", "\u{7f}"] {
      #expect(SigningCredentials(accessKeyID: text, secretAccessKey: "s") == nil)
      #expect(SigningCredentials(accessKeyID: "k", secretAccessKey: text) == nil)
      guard !text.isEmpty else { continue }
      #expect(
        SigningCredentials(accessKeyID: "k", secretAccessKey: "s", sessionToken: text) == nil)
    }
    for text in ["a/b", "a,b"] {
      #expect(SigningCredentials(accessKeyID: text, secretAccessKey: "s") == nil)
    }
  }

  @Test("No description shows the secret or the token")
  func hidden() throws {
    let credentials = try #require(
      SigningCredentials(
        accessKeyID: "AKIA", secretAccessKey: "s3cret", sessionToken: "t0ken"))
    var text = "\(credentials) \(String(reflecting: credentials))"
    dump(credentials, to: &text)
    dump(RequestSignature(credentials, region: "r"), to: &text)
    #expect(text.contains("AKIA") && !text.contains("s3cret") && !text.contains("t0ken"))
  }

  @Test("A token is sent and signed, and fields of the caller are not replaced")
  func fields() throws {
    let credentials = try #require(
      SigningCredentials(accessKeyID: "AKIA", secretAccessKey: "s", sessionToken: "t0ken"))
    let signature = RequestSignature(credentials, region: "r")
    let url = try HTTPURL("https://h/k")
    let given = HTTPFields(["X-Amz-Request-Payer": "requester", "Accept": "*/*"])
    let added = try #require(signature.fields(for: url, given, at: 0))
    #expect(added["X-Amz-Security-Token"] == "t0ken")
    #expect(
      added["Authorization"]?.contains(
        "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-request-payer;"
          + "x-amz-security-token,") == true)
    #expect(added["Accept"] == nil && added["X-Amz-Request-Payer"] == nil)
    let later = signature.fields(for: url, given, at: 1)
    #expect(later?["Authorization"] != added["Authorization"], "a retry is signed anew")
    for name in ["authorization", "x-amz-date", "X-Amz-Security-Token", "x-amz-content-sha256"] {
      #expect(signature.fields(for: url, HTTPFields([name: "x"]), at: 0) == nil)
    }
  }
}
