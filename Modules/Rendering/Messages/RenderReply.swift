import Models
public import Rendering
public import WorkerProcess

/// What a worker answers.
public enum RenderReply: Sendable, Equatable {
  /// Without renditions to a probe.
  case result(RenderResult)
  case failure(RenderError)

  static let resultKind: UInt8 = 2
  static let failureKind: UInt8 = 3

  /// Bytes that the renditions of one page may have.
  public static let maxBytes = 256 << 20

  /// Bytes of an answer without them.
  public static let maxFrameBytes = 64 << 10

  /// Puts the pictures into the memory that came with the question, and the rest into a frame.
  /// - Parameter memory: nil for a question that asks for no picture.
  public func frame(_ memory: RenditionMemory?) -> Frame {
    guard case .result(let result) = self, !result.renditions.isEmpty else { return frame }
    do throws(RenderError) {
      guard let memory else { throw RenderError(.io, "no memory came with the question") }
      try memory.write(result.renditions)
      return frame
    } catch {
      return RenderReply.failure(error).frame
    }
  }

  private var frame: Frame {
    switch self {
    case .result(let result):
      Frame(kind: Self.resultKind) { writer in
        writer.put(result.info)
        writer.put(list: result.renditions) { $0.put($1) }
      }
    case .failure(let error):
      Frame(kind: Self.failureKind) { writer in
        writer.put(error.code.rawValue)
        writer.put(error.detail)
      }
    }
  }

  /// Takes an answer of an untrusted worker apart.
  /// - Parameters:
  ///   - request: what was asked; an answer that does not fit is malformed.
  ///   - memory: where the pictures are; sealed before they are looked at.
  public init(
    _ frame: Frame, to request: RenderRequest, _ memory: RenditionMemory?
  ) throws(WorkerError) {
    var reader = FrameReader(frame)
    switch frame.kind {
    case Self.resultKind:
      let info = try reader.documentInfo()
      let renditions = try reader.renditions(in: memory)
      guard request.admits(info), request.admits(renditions) else {
        throw WorkerError(.malformed, "a picture that was not asked for")
      }
      self = .result(RenderResult(info: info, renditions: renditions))
    case Self.failureKind:
      guard let code = RenderError.Code(rawValue: try reader.string()) else {
        throw WorkerError(.malformed, "an error of an unknown kind")
      }
      self = .failure(RenderError(code, escaping: try reader.string()))
    default:
      throw WorkerError(.malformed, "an answer of the unknown kind \(frame.kind)")
    }
    try reader.end()
  }
}

extension RenderRequest {
  fileprivate func admits(_ info: DocumentInfo) -> Bool {
    info.width > 0 && info.height > 0 && info.pageCount > 0
  }

  /// One picture for each side, no larger, and of the kind that it says.
  fileprivate func admits(_ renditions: [Rendition]) -> Bool {
    guard case .render(_, let sides, let quality) = operation else { return renditions.isEmpty }
    return renditions.count == sides.count
      && zip(renditions, sides).allSatisfy { rendition, side in
        rendition.width > 0 && rendition.height > 0
          && max(rendition.width, rendition.height) <= side
          && (quality == 0
            ? PixelRendition(rendition) != nil
            : rendition.format == .jpeg || rendition.format == .png)
          && ResourceFormat(sniffing: rendition.bytes) == rendition.format
      }
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

  fileprivate mutating func put(_ rendition: Rendition) {
    put(rendition.format.rawValue)
    put(Int64(rendition.width))
    put(Int64(rendition.height))
    put(Int64(rendition.bytes.count))
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
    var (offset, isSealed) = (0, false)
    return try list { (reader) throws(WorkerError) in
      let (format, width, height) = (try reader.format(), try reader.int(), try reader.int())
      let count = try reader.int()
      guard let memory else { throw WorkerError(.malformed, "a picture that was not asked for") }
      if !isSealed { try memory.seal() }
      isSealed = true
      let bytes = try memory.bytes(count: count, at: offset)
      offset += count
      return Rendition(format: format, width: width, height: height, bytes: bytes)
    }
  }

  private mutating func format() throws(WorkerError) -> ResourceFormat {
    guard let format = ResourceFormat(rawValue: try string()) else {
      throw WorkerError(.malformed, "an unknown format")
    }
    return format
  }
}
