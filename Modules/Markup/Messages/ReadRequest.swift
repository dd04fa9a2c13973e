public import Markup
public import SystemCalls
public import WorkerProcess

/// The worker program that reads markup. It is separate from the other workers, whose starts its libraries
/// would delay.
public enum MarkupProgram {
  public static let name = "imgdl-markup"
  /// The name of the only kind of worker that the program runs as.
  public static let worker = "markup"
}

/// The request to a worker to read a document. The file is passed as a descriptor, so the worker does not
/// learn its path. The worker answers with `ReadReport`s.
public struct ReadRequest: Sendable, Equatable {
  public let request: MarkupRequest

  public init(_ request: MarkupRequest) { self.request = request }

  static let frameKind: UInt8 = 1

  /// Encodes the request with `file`, a descriptor open for reading.
  public func frame(_ file: OwnedDescriptor) -> Frame {
    Frame(kind: Self.frameKind, descriptors: [file]) { writer in
      writer.append(optional: request.rule?.rawValue) { $0.append($1) }
      writer.append(optional: request.charset) { $0.append($1) }
      writer.append(optional: request.url) { $0.append($1) }
      let limits = request.limits
      for limit in [limits.bytes, limits.depth, limits.items, limits.textLength] {
        writer.append(Int64(limit))
      }
      writer.append(request.rejectsMalformed)
    }
  }

  public init(_ frame: Frame) throws(WorkerError) {
    guard frame.kind == Self.frameKind else {
      throw WorkerError(.malformed, "not a request to read a document")
    }
    var reader = FrameReader(frame)
    var request = MarkupRequest()
    request.rule = try reader.optional { (reader) throws(WorkerError) in try reader.rule() }
    request.charset = try reader.optional { (reader) throws(WorkerError) in try reader.string() }
    request.url = try reader.optional { (reader) throws(WorkerError) in try reader.string() }
    request.limits = MarkupLimits(
      bytes: try reader.limit(), depth: try reader.limit(), items: try reader.limit(),
      textLength: try reader.limit())
    request.rejectsMalformed = try reader.bool()
    self.request = request
    try reader.checkComplete()
  }
}

extension FrameReader {
  fileprivate mutating func limit() throws(WorkerError) -> Int {
    guard let value = Int(exactly: try integer(Int64.self)), value >= 0 else {
      throw WorkerError(.malformed, "a limit that is not a number of things")
    }
    return value
  }

  mutating func rule() throws(WorkerError) -> MarkupRule {
    guard let rule = MarkupRule(rawValue: try string()) else {
      throw WorkerError(.malformed, "an unknown rule for markup")
    }
    return rule
  }
}
