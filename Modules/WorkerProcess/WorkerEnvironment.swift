import SystemCalls

/// The environment of a helper: the few variables that libraries need, and no secret.
public enum WorkerEnvironment {
  /// Paths and language, and where the Swift runtime's libraries are when they are not beside the program.
  public static let names = [
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "LD_LIBRARY_PATH",
  ]

  /// `NAME=value` for each name that is set here, and what the caller adds.
  ///
  /// Swift's own crash reporter is off: it would keep a dead helper alive for seconds.
  public static func passing(
    _ names: [String] = WorkerEnvironment.names, adding: [String: String] = [:]
  ) -> [String] {
    var values: [String: String] = ["SWIFT_BACKTRACE": "enable=no"]
    for name in names { values[name] = Machine.environment(name) }
    values.merge(adding) { _, new in new }
    return values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
