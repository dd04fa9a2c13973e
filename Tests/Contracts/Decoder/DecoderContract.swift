public import Decoding
import Models
import Rendering
public import Testing

/// A picture or a document that a decoder has to know, and what is to be seen in it.
public struct DecoderSample: Sendable {
  public let name: String
  public let bytes: [UInt8]
  /// Pixels of an image; points of a document.
  public let width: Int
  public let height: Int
  public let pageCount: Int

  public init(_ name: String, _ bytes: [UInt8], width: Int, height: Int, pageCount: Int = 1) {
    self.name = name
    self.bytes = bytes
    self.width = width
    self.height = height
    self.pageCount = pageCount
  }
}

/// One sentence about every decoder, and how to see that it is kept with a sample.
public struct DecoderRule: Sendable, CustomTestStringConvertible {
  public let testDescription: String
  let check: @Sendable (DecoderFixture) throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (DecoderFixture) throws -> Void) {
    testDescription = name
    self.check = check
  }

  /// - Parameter sample: in one of the decoder's formats.
  public func check(_ descriptor: DecoderDescriptor, with sample: DecoderSample) throws {
    try check(
      DecoderFixture(descriptor: descriptor, decoder: try descriptor.open(), sample: sample))
  }
}

/// What every decoder does, rule by rule. Files that kill decoders are for tests that run them in workers.
public enum DecoderContract {
  public static let rules = descriptions + pictures + refusals + damages
}

/// A decoder with a file for it.
struct DecoderFixture {
  let descriptor: DecoderDescriptor
  let decoder: any ImageDecoder
  let sample: DecoderSample

  var format: ResourceFormat { ResourceFormat(sniffing: sample.bytes) }
  var isDocument: Bool { format.kind == .document }

  /// As a worker has it: with the judgement of files that are cut.
  private var workersDecoder: TruncationReportingDecoder { TruncationReportingDecoder(decoder) }

  func probe(limits: RenderLimits = RenderLimits()) throws(RenderError) -> DocumentInfo {
    try source(sample.bytes, limits) { (source) throws(RenderError) in
      try workersDecoder.probe(source)
    }
  }

  func decode(
    _ bytes: [UInt8]? = nil, page: Int = 0, side: Int = 16, limits: RenderLimits = RenderLimits()
  ) throws(RenderError) -> DecodedPage {
    try source(bytes ?? sample.bytes, limits) { (source) throws(RenderError) in
      try workersDecoder.decode(source, page: page, side: side)
    }
  }

  /// Why there is no picture, or only a part of one; nil for one that is whole.
  func fault(
    of bytes: [UInt8]? = nil, page: Int = 0, limits: RenderLimits = RenderLimits()
  ) -> RenderError? {
    do throws(RenderError) {
      return try decode(bytes, page: page, limits: limits).damage
    } catch {
      return error
    }
  }

  /// The format is that of the whole file, which its first bytes determine.
  private func source<Value>(
    _ bytes: [UInt8], _ limits: RenderLimits,
    _ body: (ImageSource) throws(RenderError) -> Value
  ) throws(RenderError) -> Value {
    let format = format
    let result = bytes.withUnsafeBytes { bytes -> Result<Value, RenderError> in
      let source = ImageSource(bytes: bytes, format: format, limits: limits)
      return Result { () throws(RenderError) in try body(source) }
    }
    return try result.get()
  }
}
