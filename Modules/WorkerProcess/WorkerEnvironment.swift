import SystemCalls

/// The environment of a helper: the few variables that libraries need, without secrets.
public enum WorkerEnvironment {
  /// The variables of paths, language and time zone, and the one that locates the Swift runtime if it is not
  /// beside the program.
  public static let names = [
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "LD_LIBRARY_PATH",
  ]

  /// Returns `NAME=value` for each of these variables that is set in this process, and for those that the
  /// caller adds.
  ///
  /// The environment disables Swift's crash reporter, which would keep a crashed helper alive for seconds.
  public static func passing(
    _ names: [String] = WorkerEnvironment.names, adding: [String: String] = [:]
  ) -> [String] {
    var values: [String: String] = ["SWIFT_BACKTRACE": "enable=no"]
    for name in names { values[name] = Machine.environment(name) }
    values.merge(adding) { _, new in new }
    return values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
