public import Models

/// The libraries of a worker program as text for `imgdl-cli doctor`. Each line contains name, version or `-`,
/// purpose, problem and Debian package, separated by tabs.
public enum LibraryReport {
  public static func line(_ library: LibraryVersion) -> String {
    [
      library.name, library.version ?? "-", library.use, library.problem ?? "",
      library.package ?? "",
    ].joined(separator: "\t")
  }

  /// Parses a line; nil if it is malformed.
  public static func library(_ line: Substring) -> LibraryVersion? {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 5 else { return nil }
    return LibraryVersion(
      cells[0], cells[1] == "-" ? nil : cells[1], for: cells[2],
      problem: cells[3].isEmpty ? nil : cells[3], package: cells[4].isEmpty ? nil : cells[4])
  }
}
