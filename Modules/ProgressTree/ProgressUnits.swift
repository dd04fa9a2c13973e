/// The weights of the work on one resource, in thousandths: 90 % download, 5 % unzipping, 5 % rendering. The
/// weights are integers, so that every adapter computes the same fraction.
enum ProgressUnits {
  static let resource: Int64 = 1_000
  static let download: Int64 = 900
  static let unzip: Int64 = 50
  static let render: Int64 = 50

  /// Returns the completed units of an active resource, which are always less than `resource`, because a
  /// resource is complete only in a final state.
  static func completedUnits(_ entry: ProgressLedger.Active) -> Int64 {
    switch entry.stage {
    case .downloading: downloaded(entry.counter.received, of: entry.counter.expected)
    case .unzipping: download
    case .rendering: download + unzip
    }
  }

  /// Returns the completed units of a download; 0 if its length is unknown.
  private static func downloaded(_ received: Int64, of expected: Int64?) -> Int64 {
    guard let expected, expected > 0, received > 0 else { return 0 }
    if received >= expected { return download }
    return Int64(Double(received) / Double(expected) * Double(download))
  }
}
