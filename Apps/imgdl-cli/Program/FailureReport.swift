/// A list of failures for people: the first ones in full, the rest as a count.
struct FailureReport {
  /// The number of failures that are reported in full.
  static let limit = 20

  private(set) var lines: [String] = []
  private(set) var count = 0

  /// - Returns: Whether the failure is one of those reported in full.
  @discardableResult
  mutating func add(_ line: @autoclosure () -> String) -> Bool {
    count += 1
    guard count <= Self.limit else { return false }
    lines.append(line())
    return true
  }

  var unreportedCount: Int { count - lines.count }

  /// Prints the lines among the data.
  /// - Parameter rest: The place where all failures can be found.
  func print(to console: Console, rest place: String) {
    for line in lines + (moreText(detailsIn: place).map { [$0] } ?? []) {
      console.printSentence(Console.escaped(line))
    }
  }

  /// Returns `5 more; details in …`; nil if there are no more.
  /// - Parameter place: The place where all failures can be found.
  func moreText(detailsIn place: String) -> String? {
    unreportedCount > 0 ? "\(unreportedCount) more; \(place)" : nil
  }
}
