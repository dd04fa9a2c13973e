import Hashing
public import Models

/// Signs GET requests to S3 services with AWS Signature Version 4 in the field `Authorization` (AWS General
/// Reference, "AWS Signature Version 4 for API requests"; Amazon S3 API Reference, "Authenticating Requests:
/// Using the Authorization Header").
public struct RequestSignature: Sendable {
  private let credentials: SigningCredentials
  private let region: String

  /// - Parameter region: The region of the service, such as `us-east-1`.
  public init(_ credentials: SigningCredentials, region: String) {
    self.credentials = credentials
    self.region = region
  }

  private static let algorithm = "AWS4-HMAC-SHA256"

  /// Returns the fields that sign a request, `Authorization` among them. O(length of the request).
  ///
  /// The signature covers the URL, `Host`, `Range` and all fields whose names begin with `x-amz-`, as AWS
  /// demands. AWS accepts it for 15 minutes after `seconds`, so a retry needs another one.
  /// - Parameters:
  ///   - fields: The other fields of the request.
  ///   - seconds: The current time in seconds since 1970-01-01 00:00 UTC.
  /// - Returns: nil if the request already has a field of the result, such as `Authorization`.
  public func fields(
    for url: HTTPURL, _ fields: HTTPFields, at seconds: Int64
  ) -> HTTPFields? {
    let time = SigningTime(secondsSince1970: seconds)
    var added = HTTPFields()
    added.append("X-Amz-Content-SHA256", CanonicalRequest.emptyBodyHash)
    added.append("X-Amz-Date", time.text)
    if let token = credentials.sessionToken { added.append("X-Amz-Security-Token", token) }
    let names = added.fields.map(\.name) + ["Authorization"]
    guard names.allSatisfy({ fields[$0] == nil }) else { return nil }
    var signed = added
    for field in fields.fields where Self.isSigned(field.name) {
      signed.append(field.name, field.value)
    }
    let request = CanonicalRequest(url, signing: signed)
    let scope = "\(time.day)/\(region)/s3/aws4_request"
    let text = [Self.algorithm, time.text, scope, request.hash].joined(separator: "\n")
    let code = MessageAuthenticationCode.code(of: Array(text.utf8), key: key(day: time.day))
    let signature = Digest(code)?.description ?? ""
    added.append(
      "Authorization",
      "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), "
        + "SignedHeaders=\(request.signedNames), Signature=\(signature)")
    return added
  }

  private static func isSigned(_ name: String) -> Bool {
    HTTPFields.isSame(name, "Range") || HTTPFields.isSame(name.prefix(6), "x-amz-")
  }

  /// Derives the key of a day from the secret, which itself signs nothing.
  private func key(day: String) -> [UInt8] {
    [day, region, "s3", "aws4_request"].reduce(Array("AWS4\(credentials.secretAccessKey)".utf8)) {
      key, part in MessageAuthenticationCode.code(of: Array(part.utf8), key: key)
    }
  }
}
