import HTTP1
import Models
import Transport

/// The fields of a refusal that tell its cause. Pure.
enum RefusalHint: Equatable {
  /// The server accepts credentials with these schemes only.
  case credentials(AuthenticationSchemes)
  /// The bucket is in another region than that of the signature.
  case region(String)
  /// The time of a service with the interface of S3, which refuses signatures of another time, in seconds since 1970.
  case clock(Int64)

  /// The difference in seconds from which such services refuse a signature.
  static let permittedSkew: Int64 = 15 * 60

  init?(_ head: ResponseHead) {
    switch head.status {
    case 401:
      let schemes = AuthenticationSchemes(head.fields.all("WWW-Authenticate"))
      guard !schemes.names.isEmpty else { return nil }
      self = .credentials(schemes)
    case 400 where head.isOfBucket:
      guard let region = head.fields["x-amz-bucket-region"], Self.isRegion(region) else {
        return nil
      }
      self = .region(region)
    case 403 where head.isOfBucket:
      guard let date = head.fields["Date"].flatMap({ HTTPDate.parse($0) }) else { return nil }
      self = .clock(date)
    default: return nil
    }
  }

  private static func isRegion(_ text: String) -> Bool {
    1...40 ~= text.utf8.count
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
      }
  }

  /// Returns the cause as a clause for users; nil if the fields tell none.
  /// - Parameter now: The time in seconds since 1970.
  func text(now: Int64) -> String? {
    switch self {
    case .credentials(let schemes):
      if schemes.contains("Basic") {
        return "the server requires a user name and a password that it accepts (--user, --netrc)"
      }
      if schemes.contains("Bearer") {
        return "the server requires a token (--header 'Authorization: Bearer ...')"
      }
      let names = schemes.names.joined(separator: " or ")
      return "the server requires \(names) authentication, which imgdl does not support"
    case .region(let region): return "the bucket is in the region \(region) (s3.endpoints)"
    case .clock(let time):
      let difference = time > now ? time &- now : now &- time
      guard difference > Self.permittedSkew else { return nil }
      return "the clocks of this machine and of the server differ by \(difference / 60) minutes"
    }
  }
}

extension ResponseHead {
  /// Whether the response is of a service with the interface of S3.
  fileprivate var isOfBucket: Bool { fields.contains("x-amz-request-id") }
}

extension DownloadFailure {
  /// Returns the failure that the status of a response means, with what its fields tell of the cause.
  static func refused(_ head: ResponseHead) -> DownloadFailure {
    .status(head.status, retryAfter: head.fields["Retry-After"], hint: RefusalHint(head))
  }
}
