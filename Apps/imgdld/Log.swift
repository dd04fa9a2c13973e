import Glibc
import Models
import Synchronization
import SystemCalls

/// One line for each thing that matters, as `key=value`: to standard error, with the time in front, or
/// with the priority that journald understands when it is journald that reads.
final class Log: Sendable {
  enum Level: String {
    case info, warning, error

    /// As in syslog(3).
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
  /// The file is one that this program was given for its log alone.
  private let ownsFile: Bool

  /// Lines in ten seconds; what is more is counted, not written.
  private static let limit = 200
  private static let windowNanoseconds: UInt64 = 10_000_000_000

  /// Bytes after which a log of our own restarts: it may lie in memory.
  private static let fileLimit: off_t = 4 << 20

  /// - Parameter ownsFile: a long one may be emptied.
  init(descriptor: Int32 = 2, ownsFile: Bool = false) {
    self.descriptor = descriptor
    self.ownsFile = ownsFile
    isJournal = Self.isJournal(descriptor)
  }

  /// systemd says in JOURNAL_STREAM which file leads to the journal (systemd.exec(5)).
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
    // One call, so that lines of several programs do not mix.
    _ = line.withCString { Glibc.write(descriptor, $0, strlen($0)) }
  }

  /// Texts come from servers: nothing in them may end the line or reach a terminal, and no
  /// credentials of a URL are written.
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

  /// UTC: `2026-01-31T23:59:59Z`.
  private static var time: String {
    var moment = time_t(Machine.unixSeconds)
    var parts = tm()
    guard gmtime_r(&moment, &parts) != nil else { return "-" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }
}
