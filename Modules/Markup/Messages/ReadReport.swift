public import Markup
public import WorkerProcess

/// A message that an untrusted worker sends while it reads a document.
public enum ReadReport: Sendable, Equatable {
  /// The next items, in document order; never empty.
  case items([MarkupItem])
  /// The document has no more items.
  case end
  /// The document cannot be read, or only in part.
  case fail(MarkupError.Code, String)

  /// The size in bytes from which a worker sends the items that it has collected.
  public static let batchBytes = 64 << 10
  /// The maximum size of a message in bytes, enough for a batch and one entry with all of its mirrors.
  public static let maxFrameBytes = 2 << 20

  private enum FrameKind: UInt8 { case items = 11, end, fail }

  public var frame: Frame {
    switch self {
    case .items(let items):
      Frame(kind: FrameKind.items.rawValue) { $0.append(list: items) { $0.append($1) } }
    case .end: Frame(kind: FrameKind.end.rawValue)
    case .fail(let code, let detail):
      Frame(kind: FrameKind.fail.rawValue) { writer in
        writer.append(code.rawValue)
        writer.append(detail)
      }
    }
  }

  /// Parses a message of an untrusted worker.
  /// - Throws: `.malformed`.
  public init(_ frame: Frame) throws(WorkerError) {
    var reader = FrameReader(frame)
    switch FrameKind(rawValue: frame.kind) {
    case .items:
      let items = try reader.list { (reader) throws(WorkerError) in try reader.markupItem() }
      guard !items.isEmpty else { throw WorkerError(.malformed, "a list without items") }
      self = .items(items)
    case .end: self = .end
    case .fail: self = .fail(try reader.code(), try reader.markupText())
    case nil: throw WorkerError(.malformed, "a report of the unknown kind \(frame.kind)")
    }
    try reader.checkComplete()
  }
}

extension MarkupError.Code {
  /// Whether a worker may report this code. Only the program itself reports errors of its visitor and of
  /// workers.
  fileprivate var isForWorkers: Bool {
    switch self {
    case .io, .syntax, .unsupported, .limit: true
    case .visitor, .worker: false
    }
  }
}

extension FrameReader {
  fileprivate mutating func code() throws(WorkerError) -> MarkupError.Code {
    guard let code = MarkupError.Code(rawValue: try string()), code.isForWorkers else {
      throw WorkerError(.malformed, "an error of an unknown kind")
    }
    return code
  }
}
