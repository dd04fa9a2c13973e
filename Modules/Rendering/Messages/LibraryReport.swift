public import Models

/// The libraries of a worker's program, a line each: name, version or `-`, use, problem, Debian
/// package, with tabs in between; for `doctor`.
public enum LibraryReport {
  public static func line(_ library: LibraryVersion) -> String {
    [
      library.name, library.version ?? "-", library.use, library.problem ?? "",
      library.package ?? "",
    ].joined(separator: "\t")
  }

  /// nil for a line that is none.
  public static func library(_ line: Substring) -> LibraryVersion? {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 5 else { return nil }
    return LibraryVersion(
      cells[0], cells[1] == "-" ? nil : cells[1], for: cells[2],
      problem: cells[3].isEmpty ? nil : cells[3], package: cells[4].isEmpty ? nil : cells[4])
  }
}
