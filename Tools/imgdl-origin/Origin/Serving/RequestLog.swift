import Glibc
import Synchronization

/// The server's own account of every request: the witness of what was fetched, and how often.
public final class RequestLog: Sendable {
  /// One request and what was sent for it.
  public struct Entry: Sendable, Equatable {
    /// From 1, in the order in which requests were read.
    public let sequence: Int
    /// From 0, in the order of acceptance.
    public let connection: Int
    public let method: String
    /// As sent, not decoded.
    public let target: String
    /// The Host field; empty without a head.
    public let host: String
    /// The Range field.
    public let range: String?
    public let status: Int
    /// Bytes of body that the kernel took.
    public let bytes: Int64
    /// Whether everything that the header section announced was sent.
    public let isComplete: Bool
    public let fault: Fault?
    /// When the request had been read.
    public let start: Moment
    /// When the last byte had been sent.
    public let end: Moment
  }

  private let arrivals: Arrivals<Entry>?
  private let file: Descriptor?
  private let sequence = Atomic(0)

  init(file path: String?, keepsEntries: Bool) throws(OriginError) {
    arrivals = keepsEntries ? Arrivals() : nil
    guard let path else {
      file = nil
      return
    }
    let number = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard number >= 0 else {
      throw OriginError(.log, "cannot write the log \(path): \(Descriptor.reason)")
    }
    file = Descriptor(number)
  }

  /// The entries so far, in the order in which responses ended. A client may have the last byte of
  /// a response before its entry is here: wait for it with `entries(count:)`.
  public var entries: [Entry] { arrivals?.all ?? [] }

  /// All entries, once there are `count` or more.
  public func entries(count: Int) async -> [Entry] { await arrivals?.wait(count: count) ?? [] }

  func nextSequence() -> Int { sequence.add(1, ordering: .relaxed).newValue }

  func append(_ entry: Entry) {
    if let file {
      // One write a line: lines of several threads never mix.
      let line = Array(entry.json.utf8) + [0x0a]
      _ = write(file.number, line, line.count)
    }
    arrivals?.append(entry)
  }
}

extension RequestLog.Entry {
  /// One line without its end. Times are in milliseconds.
  var json: String {
    let members = [
      "\"seq\":\(sequence)", "\"connection\":\(connection)", "\"method\":\(quoted(method))",
      "\"target\":\(quoted(target))", "\"host\":\(quoted(host))",
      "\"range\":\(range.map(quoted) ?? "null")",
      "\"status\":\(status)", "\"bytes\":\(bytes)", "\"completed\":\(isComplete)",
      "\"fault\":\(fault.map { quoted($0.rawValue) } ?? "null")",
      "\"wallStart\":\(start.wall)", "\"wallEnd\":\(end.wall)",
      "\"monotonicStart\":\(start.monotonic)", "\"monotonicEnd\":\(end.monotonic)",
    ]
    return "{" + members.joined(separator: ",") + "}"
  }

  private func quoted(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": output += "\\\(scalar)"
      case "\u{0}"..<"\u{20}", "\u{7f}"..<"\u{a0}":
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output + "\""
  }
}
