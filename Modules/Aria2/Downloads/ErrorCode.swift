/// The exit codes of aria2 that describe why a download has failed ("EXIT STATUS" in aria2c(1)).
enum ErrorCode: Int, Sendable {
  case unknown = 1
  case timeout = 2
  case notFound = 3
  case tooSlow = 5
  case network = 6
  case diskFull = 9
  case fileIO = 16
  case nameResolution = 19
  case badResponse = 22
  case tooManyRedirects = 23
  case authorization = 24
  case overloaded = 29
  case removed = 31
  case checksum = 32

  /// Chooses the code by the reason of a failure. The library states reasons as sentences for users, so the
  /// code is a guess for reasons other than a status.
  init(reason: String) {
    if reason.hasPrefix("HTTP "), let status = Int(reason.dropFirst(5).prefix(3)) {
      self = Self.code(ofStatus: status)
      return
    }
    let reason = reason.lowercased()
    self = Self.words.first { reason.contains($0.word) }?.code ?? .unknown
  }

  private static func code(ofStatus status: Int) -> ErrorCode {
    switch status {
    case 404, 410: .notFound
    case 401, 407: .authorization
    case 429, 503: .overloaded
    case 408, 504: .timeout
    default: .badResponse
    }
  }

  /// Words of reasons, in the order in which they are looked for.
  private static let words: [(word: String, code: ErrorCode)] = [
    ("its sha-", .checksum), ("its md5 ", .checksum), ("redirect", .tooManyRedirects),
    ("cancelled", .removed),
    ("no data was received", .timeout), ("timed out", .timeout), ("not finished in", .timeout),
    ("less than", .tooSlow), ("resolve", .nameResolution), ("name or service", .nameResolution),
    ("no such host", .nameResolution), ("sent no content", .badResponse),
    ("disk is full", .diskFull), ("no space", .diskFull),
    ("refused", .network), ("connect", .network), ("certificate", .network),
    ("bytes were received", .network), ("reset", .network), ("closed", .network),
  ]
}
