import Models
import RenderMessages
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("Samples of datasets, made by workers") struct SampleTests {
  private static func make(
    _ bytes: [UInt8], _ change: (inout SampleOptions) -> Void = { _ in }
  ) async throws -> Result<RenderResult, RenderError> {
    var options = SampleOptions()
    change(&options)
    let file = try Channels.memoryFile("sample")
    try file.write(all: bytes.span.bytes)
    let renderer = WorkerPoolRenderer(.test(workers: 1))
    let result = await withCheckedContinuation { continuation in
      renderer.makeSample(of: file, options, within: 600) { continuation.resume(returning: $0) }
    }
    await renderer.shutdown()
    return result
  }

  private static let picture = TestPicture.png(width: 40, height: 30) { x, y in
    (UInt8(x * 6), UInt8(y * 8), 100, 255)
  }

  @Test("have the size of their mode, in every codec", arguments: SampleOptions.Codec.allCases)
  func codecs(codec: SampleOptions.Codec) async throws {
    let result = try await Self.make(Self.picture) {
      $0.codec = codec
      $0.quality = codec == .png ? 9 : 90
      $0.side = 16
    }.get()
    let rendition = try #require(result.renditions.first)
    #expect(rendition.format == codec.format)
    #expect((rendition.width, rendition.height) == (16, 16))
    #expect(ResourceFormat(sniffing: rendition.bytes) == codec.format)
    #expect(result.sample?.imageWidth == 40 && result.sample?.imageHeight == 30)
    #expect(result.sample?.exif == "{}")
  }

  @Test("are larger than a message where the image is")
  func large() async throws {
    let noise = TestPicture.png(width: 700, height: 500) { x, y in
      let value = UInt32(truncatingIfNeeded: (x &* 7_919) ^ (y &* 104_729)) &* 2_654_435_761
      return (UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), 255)
    }
    let result = try await Self.make(noise) { $0.mode = .unchanged }.get()
    let rendition = try #require(result.renditions.first)
    #expect(rendition.bytes.count > RenderReply.maxBytesInFrame)
    #expect((rendition.width, rendition.height) == (700, 500))
  }

  @Test("are the bytes of the file if nothing changes")
  func passThrough() async throws {
    for (encoding, mode) in [
      (SampleOptions.Encoding.ifNeeded, SampleOptions.Mode.unchanged), (.never, .border),
    ] {
      let opaque = TestPicture.png(
        width: 4, height: 4, depth: 8, type: 0, data: [UInt8](repeating: 0, count: 20))
      let result = try await Self.make(opaque) {
        $0.codec = .png
        $0.quality = 6
        $0.encoding = encoding
        $0.mode = mode
      }.get()
      #expect(result.renditions.isEmpty)
      #expect(result.sample?.rejection == nil)
    }
  }

  @Test("are not made of images that a limit excludes")
  func rejections() async throws {
    let small = try await Self.make(Self.picture) { $0.minimumSide = 31 }.get()
    #expect(small.sample?.rejection == .tooSmall && small.renditions.isEmpty)
    let area = try await Self.make(Self.picture) { $0.maximumArea = 1_199 }.get()
    #expect(area.sample?.rejection == .areaTooLarge)
    let ratio = try await Self.make(Self.picture) { $0.maximumAspectRatio = 1.3 }.get()
    #expect(ratio.sample?.rejection == .aspectRatioTooLarge)
  }

  @Test("are not made of documents, vector images and other files")
  func otherFiles() async throws {
    for text in ["%PDF-1.4\n", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<!DOCTYPE html>", ""] {
      let result = try await Self.make(Array(text.utf8))
      #expect(throws: RenderError.self) { try result.get() }
    }
  }

  @Test(
    "are not believed if a field is wrong",
    arguments: [
      ("no sample", nil, [(16, 12)]),
      ("another image", SampleResult(imageWidth: 41, imageHeight: 30), [(16, 12)]),
      (
        "a size that the mode does not give", SampleResult(imageWidth: 40, imageHeight: 30),
        [(16, 16)]
      ),
      ("two images", SampleResult(imageWidth: 40, imageHeight: 30), [(16, 12), (16, 12)]),
      ("no image", SampleResult(imageWidth: 40, imageHeight: 30), []),
      (
        "a rejection without a reason",
        SampleResult(imageWidth: 40, imageHeight: 30, rejection: .tooSmall), []
      ),
      (
        "EXIF that was not requested", SampleResult(imageWidth: 40, imageHeight: 30, exif: "{}"),
        [(16, 12)]
      ),
    ] as [(String, SampleResult?, [(Int, Int)])])
  func lies(name: String, sample: SampleResult?, sizes: [(Int, Int)]) throws {
    var options = SampleOptions()
    (options.mode, options.side, options.codec) = (.keepRatioLargest, 16, .png)
    options.wantsEXIF = false
    let request = RenderRequest(operation: .sample(options), limits: Lie.limits)
    let renditions = sizes.map {
      Rendition(
        format: .png, width: $0.0, height: $0.1,
        bytes: TestPicture.png(width: $0.0, height: $0.1))
    }
    let reply = RenderReply.result(
      RenderResult(info: Lie.truth, renditions: renditions, sample: sample))
    #expect(throws: WorkerError.self) { try RenderReply(reply.frame(), to: request, of: .png) }
  }

  @Test("are believed otherwise, and their options survive the way to the worker")
  func truth() throws {
    var options = SampleOptions()
    (options.mode, options.side, options.codec, options.quality) = (.keepRatioLargest, 16, .png, 3)
    (options.reducing, options.enlarging, options.encoding) = (.cubic, .nearest, .ifNeeded)
    (options.minimumSide, options.maximumArea, options.maximumAspectRatio) = (3, 5_000, 2.5)
    (options.onlyIfBigger, options.decodesScaled) = (true, true)
    let request = RenderRequest(operation: .sample(options), limits: Lie.limits)
    #expect(try RenderRequest(request.frame(try Channels.memoryFile("x"))) == request)
    let reply = RenderReply.result(
      RenderResult(
        info: Lie.truth, renditions: [Lie.picture],
        sample: SampleResult(imageWidth: 40, imageHeight: 30, exif: "{}")))
    #expect(try RenderReply(reply.frame(), to: request, of: .png) == reply)
  }
}
