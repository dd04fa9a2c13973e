public import Models
public import Rendering
public import WorkerProcess

/// A worker's reply to a `RenderRequest`.
public enum RenderReply: Sendable, Equatable {
  /// The result; the reply to a probe contains no renditions.
  case result(RenderResult)
  case failure(RenderError)
  /// The images are rendered and have this many bytes, which is more than a message can carry. The worker
  /// returns them when it receives memory for them.
  case large(Int)

  static let resultKind: UInt8 = 2
  static let failureKind: UInt8 = 3
  static let largeKind: UInt8 = 4

  /// The maximum size of the renditions of one page, in bytes.
  public static let maxBytes = 256 << 20

  /// The maximum size of a reply in bytes.
  public static let maxFrameBytes = 64 << 10

  /// The maximum size in bytes of images within a message; the rest of the frame is for other fields.
  public static let maxBytesInFrame = 56 << 10

  /// Encodes the reply.
  /// - Parameter memory: The shared memory that receives the images; nil puts them into the frame.
  public func frame(_ memory: RenditionMemory? = nil) -> Frame {
    switch self {
    case .result(let result):
      do throws(RenderError) {
        try memory?.write(result.renditions)
      } catch {
        return RenderReply.failure(error).frame()
      }
      return Frame(kind: Self.resultKind) { writer in
        writer.append(result.info)
        writer.append(list: result.renditions) { $0.append($1, isElsewhere: memory != nil) }
        writer.append(optional: result.thumbHash) { $0.append($1.bytes) }
        writer.append(list: result.damage.map { [$0] } ?? []) {
          $0.append($1.code.rawValue)
          $0.append($1.detail)
        }
        writer.append(optional: result.remark) { $0.append($1) }
        writer.append(optional: result.sample) { $0.append($1) }
      }
    case .failure(let error):
      return Frame(kind: Self.failureKind) { writer in
        writer.append(error.code.rawValue)
        writer.append(error.detail)
      }
    case .large(let size):
      return Frame(kind: Self.largeKind) { $0.append(Int64(size)) }
    }
  }

  /// Parses a reply of an untrusted worker.
  /// - Parameters:
  ///   - request: The request; a reply that does not match it is malformed.
  ///   - format: The format that the program itself has detected in the file.
  ///   - memory: The memory that contains the images, if the worker was given any; it is sealed before the
  ///     images are read.
  public init(
    _ frame: Frame, to request: RenderRequest, of format: ResourceFormat,
    _ memory: RenditionMemory? = nil
  ) throws(WorkerError) {
    var reader = FrameReader(frame)
    switch frame.kind {
    case Self.largeKind:
      let size = try reader.int()
      guard memory == nil, size > 0, size <= request.memoryCapacity else {
        throw WorkerError(.malformed, "a request for more memory than any image needs")
      }
      self = .large(size)
    case Self.resultKind:
      let info = try reader.documentInfo()
      let renditions = try reader.renditions(in: memory)
      let thumbHash = try reader.optional { (reader) throws(WorkerError) in
        try reader.thumbHash()
      }
      let damage = try reader.list { (reader) throws(WorkerError) in try reader.renderError() }
      let remark = try reader.optional { (reader) throws(WorkerError) in
        // Escaped and bounded like the detail of an error.
        RenderError(.damaged, escaping: try reader.string()).detail
      }
      let sample = try reader.optional { (reader) throws(WorkerError) in
        try reader.sampleResult()
      }
      try request.check(info, of: format)
      try request.check(renditions)
      try request.check(sample, info, renditions)
      guard damage.count <= 1, damage.allSatisfy(\.isDamage) else {
        throw WorkerError(.malformed, "a damage with an invalid code")
      }
      self = .result(
        RenderResult(
          info: info, renditions: renditions, thumbHash: thumbHash, damage: damage.first,
          remark: remark, sample: sample))
    case Self.failureKind:
      self = .failure(try reader.renderError())
    default:
      throw WorkerError(.malformed, "an answer of the unknown kind \(frame.kind)")
    }
    try reader.checkComplete()
  }
}

extension FrameWriter {
  fileprivate mutating func append(_ info: DocumentInfo) {
    append(info.format.rawValue)
    append(Int64(info.width))
    append(Int64(info.height))
    append(Int64(info.pageCount))
    append(info.hasAlpha)
    append(info.isAnimated)
  }

  /// - Parameter isElsewhere: Whether the bytes are in shared memory, so that only their number is written.
  fileprivate mutating func append(_ rendition: Rendition, isElsewhere: Bool) {
    append(rendition.format.rawValue)
    append(Int64(rendition.width))
    append(Int64(rendition.height))
    if isElsewhere {
      append(Int64(rendition.bytes.count))
    } else {
      append(rendition.bytes)
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

  fileprivate mutating func thumbHash() throws(WorkerError) -> ThumbHash {
    guard let hash = ThumbHash(try data()) else {
      throw WorkerError(.malformed, "bytes that are no ThumbHash")
    }
    return hash
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
