/// Counts what a document names and imgdl does not read, for one problem at its end.
struct OmissionCount: Sendable {
  private(set) var count = 0
  private var first = ""

  mutating func add(_ url: String) {
    if count == 0 { first = String(url.prefix(200)) }
    count += 1
  }

  /// Returns a sentence; nil if nothing was omitted.
  /// - Parameters: What is said of one, and of several, after their number.
  func sentence(_ singular: String, _ plural: String) -> String? {
    switch count {
    case 0: nil
    case 1: "1 \(singular): \(first)"
    default: "\(count) \(plural); the first: \(first)"
    }
  }
}
