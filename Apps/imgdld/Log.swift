import Glibc
import Models
import Synchronization
import SystemCalls

/// Writes one line of `key=value` pairs for each notable event to a descriptor. Each line begins with the
/// time, or with the priority in journald's notation if journald reads the descriptor.
final class Log: Sendable {
  enum Level: String {
    case info, warning, error

    /// The priority according to syslog(3).
    var priority: Int { self == .info ? 6 : self == .warning ? 4 : 3 }
  }

  private struct Window {
    var start: UInt64 = 0
    var count = 0
    var suppressed = 0
  }

  private let isJournal: Bool
  private let window = Mutex(Window())
  private let descriptor: Int32
  /// Whether the file contains only this program's log, so that this program may empty it.
  private let ownsFile: Bool

  /// The maximum number of lines in a window of ten seconds. Further lines are counted but not written,
  /// except errors.
  private static let limit = 200
  private static let windowNanoseconds: UInt64 = 10_000_000_000

  /// The size in bytes above which the program empties its own log file, which may be in a memory file
  /// system.
  private static let fileLimit: off_t = 4 << 20

  /// - Parameter ownsFile: Whether the file contains only this log, so that it may be emptied when it is
  ///   long.
  init(descriptor: Int32 = 2, ownsFile: Bool = false) {
    self.descriptor = descriptor
    self.ownsFile = ownsFile
    isJournal = Self.isJournal(descriptor)
  }

  /// Returns whether the descriptor leads to the journal. systemd stores the device and inode of the
  /// journal's stream in JOURNAL_STREAM (systemd.exec(5)).
  private static func isJournal(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard let stream = Machine.environment("JOURNAL_STREAM"), fstat(descriptor, &status) == 0
    else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  func write(_ level: Level, _ event: String, _ fields: [(String, any Sendable)] = []) {
    let (isAllowed, suppressed) = count()
    if ownsFile { emptyIfLong() }
    if suppressed > 0 { append(.warning, "suppressed", [("lines", suppressed)]) }
    if isAllowed || level == .error { append(level, event, fields) }
  }

  private func emptyIfLong() {
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_size > Self.fileLimit { ftruncate(descriptor, 0) }
  }

  private func count() -> (isAllowed: Bool, suppressed: Int) {
    window.withLock { window in
      let now = Machine.monotonicNanoseconds
      var suppressed = 0
      if window.count == 0 || now &- window.start > Self.windowNanoseconds {
        suppressed = window.suppressed
        window = Window(start: now)
      }
      window.count += 1
      if window.count > Self.limit { window.suppressed += 1 }
      return (window.count <= Self.limit, suppressed)
    }
  }

  private func append(_ level: Level, _ event: String, _ fields: [(String, any Sendable)]) {
    var line = isJournal ? "<\(level.priority)>" : "\(Self.time) level=\(level.rawValue) "
    line += "event=\(event)"
    for (name, value) in fields { line += " \(name)=\(Self.quoted("\(value)"))" }
    line += "\n"
    // The line is written in one call, so that the lines of several programs are not mixed.
    _ = line.withCString { Glibc.write(descriptor, $0, strlen($0)) }
  }

  /// Returns a value in the form for the log. The text may come from a server, so control characters, which
  /// could end the line or control a terminal, are escaped, and credentials in URLs are masked.
  static func quoted(_ unsafe: String) -> String {
    let text = CredentialMask.masked(unsafe)
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
          && byte != UInt8(ascii: "\\")
      }
    if isPlain { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case _
      where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
        || scalar.properties.generalCategory == .format:
        quoted += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The current time in UTC, such as `2026-01-31T23:59:59Z`.
  private static var time: String {
    var moment = time_t(Machine.unixSeconds)
    var parts = tm()
    guard gmtime_r(&moment, &parts) != nil else { return "-" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }
}
