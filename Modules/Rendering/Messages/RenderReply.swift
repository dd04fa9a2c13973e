public import Models
public import Rendering
public import WorkerProcess

/// What a worker answers.
public enum RenderReply: Sendable, Equatable {
  /// Without renditions to a probe.
  case result(RenderResult)
  case failure(RenderError)
  /// The pictures are there and have so many bytes: more than a message carries. The worker hands
  /// them over when it is given memory for them.
  case large(Int)

  static let resultKind: UInt8 = 2
  static let failureKind: UInt8 = 3
  static let largeKind: UInt8 = 4

  /// Bytes that the renditions of one page may have.
  public static let maxBytes = 256 << 20

  /// Bytes of an answer.
  public static let maxFrameBytes = 64 << 10

  /// Bytes of pictures that go with the message: what is left beside the words.
  public static let maxBytesInFrame = 56 << 10

  /// - Parameter memory: takes the pictures, which are in the frame otherwise.
  public func frame(_ memory: RenditionMemory? = nil) -> Frame {
    switch self {
    case .result(let result):
      do throws(RenderError) {
        try memory?.write(result.renditions)
      } catch {
        return RenderReply.failure(error).frame()
      }
      return Frame(kind: Self.resultKind) { writer in
        writer.put(result.info)
        writer.put(list: result.renditions) { $0.put($1, isElsewhere: memory != nil) }
        writer.put(list: result.damage.map { [$0] } ?? []) {
          $0.put($1.code.rawValue)
          $0.put($1.detail)
        }
      }
    case .failure(let error):
      return Frame(kind: Self.failureKind) { writer in
        writer.put(error.code.rawValue)
        writer.put(error.detail)
      }
    case .large(let size):
      return Frame(kind: Self.largeKind) { $0.put(Int64(size)) }
    }
  }

  /// Takes an answer of an untrusted worker apart.
  /// - Parameters:
  ///   - request: what was asked; an answer that does not fit is malformed.
  ///   - format: what the program itself has found in the file.
  ///   - memory: where the pictures are, if the worker was given any; sealed before they are looked
  ///     at.
  public init(
    _ frame: Frame, to request: RenderRequest, of format: ResourceFormat,
    _ memory: RenditionMemory? = nil
  ) throws(WorkerError) {
    var reader = FrameReader(frame)
    switch frame.kind {
    case Self.largeKind:
      let size = try reader.int()
      guard memory == nil, size > 0, size <= request.memoryCapacity else {
        throw WorkerError(.malformed, "a wish for memory that no picture needs")
      }
      self = .large(size)
    case Self.resultKind:
      let info = try reader.documentInfo()
      let renditions = try reader.renditions(in: memory)
      let damage = try reader.list { (reader) throws(WorkerError) in try reader.renderError() }
      try request.check(info, of: format)
      try request.check(renditions)
      guard damage.count <= 1, damage.allSatisfy(\.isDamage) else {
        throw WorkerError(.malformed, "a damage that is none")
      }
      self = .result(RenderResult(info: info, renditions: renditions, damage: damage.first))
    case Self.failureKind:
      self = .failure(try reader.renderError())
    default:
      throw WorkerError(.malformed, "an answer of the unknown kind \(frame.kind)")
    }
    try reader.end()
  }
}

extension FrameWriter {
  fileprivate mutating func put(_ info: DocumentInfo) {
    put(info.format.rawValue)
    put(Int64(info.width))
    put(Int64(info.height))
    put(Int64(info.pageCount))
    put(info.hasAlpha)
    put(info.isAnimated)
  }

  /// - Parameter isElsewhere: only the number of its bytes is put.
  fileprivate mutating func put(_ rendition: Rendition, isElsewhere: Bool) {
    put(rendition.format.rawValue)
    put(Int64(rendition.width))
    put(Int64(rendition.height))
    if isElsewhere {
      put(Int64(rendition.bytes.count))
    } else {
      put(rendition.bytes)
    }
  }
}

extension FrameReader {
  fileprivate mutating func documentInfo() throws(WorkerError) -> DocumentInfo {
    DocumentInfo(
      format: try format(), width: try int(), height: try int(), pageCount: try int(),
      hasAlpha: try bool(), isAnimated: try bool())
  }

  fileprivate mutating func renditions(
    in memory: RenditionMemory?
  ) throws(WorkerError) -> [Rendition] {
    try memory?.seal()
    var offset = 0
    return try list { (reader) throws(WorkerError) in
      let (format, width, height) = (try reader.format(), try reader.int(), try reader.int())
      var bytes: [UInt8]
      if let memory {
        bytes = try memory.bytes(count: try reader.int(), at: offset)
        offset += bytes.count
      } else {
        bytes = try reader.data()
      }
      return Rendition(format: format, width: width, height: height, bytes: bytes)
    }
  }

  fileprivate mutating func renderError() throws(WorkerError) -> RenderError {
    guard let code = RenderError.Code(rawValue: try string()), code.isForWorkers else {
      throw WorkerError(.malformed, "an error of an unknown kind")
    }
    return RenderError(code, escaping: try string())
  }

  private mutating func format() throws(WorkerError) -> ResourceFormat {
    guard let format = ResourceFormat(rawValue: try string()) else {
      throw WorkerError(.malformed, "an unknown format")
    }
    return format
  }
}
