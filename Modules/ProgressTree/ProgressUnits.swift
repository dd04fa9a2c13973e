/// How the work on one resource is weighed: download 90, unzip 5, render 5, in thousandths of a
/// resource. Whole numbers, so that every adapter arrives at the same fraction.
enum ProgressUnits {
  static let resource: Int64 = 1_000
  static let download: Int64 = 900
  static let unzip: Int64 = 50
  static let render: Int64 = 50

  /// Below `resource` as long as the resource is active: the last step is to settle.
  static func done(_ entry: ProgressLedger.Active) -> Int64 {
    switch entry.stage {
    case .downloading: downloaded(entry.counter.received, of: entry.counter.expected)
    case .unzipping: download
    case .rendering: download + unzip
    }
  }

  /// Without a known length nothing is known of how far it is.
  private static func downloaded(_ received: Int64, of expected: Int64?) -> Int64 {
    guard let expected, expected > 0, received > 0 else { return 0 }
    if received >= expected { return download }
    return Int64(Double(received) / Double(expected) * Double(download))
  }
}
