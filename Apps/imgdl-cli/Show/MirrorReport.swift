import Models

/// The other URLs of a record's resources for people, after the table: those of the first resources in full,
/// the number of the others.
struct MirrorReport {
  private var report = FailureReport()

  mutating func add(_ resource: Resource) {
    guard !resource.mirrors.isEmpty else { return }
    report.add(Self.line(resource))
  }

  private static func line(_ resource: Resource) -> String {
    let word = resource.mirrors.count == 1 ? "mirror" : "mirrors"
    let urls = resource.mirrors.map(CredentialMask.masked).joined(separator: ", ")
    return "\(resource.index): \(resource.mirrors.count) \(word): \(urls)"
  }

  /// - Parameter rest: A sentence that names the command that shows all mirrors.
  func print(to console: Console, rest place: String) { report.print(to: console, rest: place) }
}
