import Decoding
import Rendering
import RenderingCodecs
import Testing

@Suite("JPEG") struct JPEGTests {
  @Test(
    "comes out of encoder and decoder as it went in",
    arguments: [(1, 1), (8, 8), (9, 7), (33, 2), (120, 81), (257, 256)])
  func roundTrip(_ width: Int, _ height: Int) throws {
    let bytes = try Pictures.jpeg(width: width, height: height)
    let decoded = try bytes.asSource { try CodecsDecoder().thumbnail($0, side: 1_000) }
    #expect((decoded.width, decoded.height) == (width, height))
    #expect(psnr(decoded, Pictures.waves(width: width, height: height)) > 30)
  }

  @Test(
    "is the same picture at every step of scaled decoding", arguments: [30, 41, 77, 100, 150, 239])
  func scaled(_ side: Int) throws {
    let bytes = try Pictures.jpeg(width: 241, height: 123)
    let size = PixelSize(width: 241, height: 123).fitting(side)
    let small = try bytes.asSource { try CodecsDecoder().thumbnail($0, side: side) }
    #expect((small.width, small.height) == (size.width, size.height))
    let expected = Pictures.waves(width: 241, height: 123).scaled(to: size)
    #expect(psnr(small, expected) > 27)
    #expect(lumaPSNR(small, expected) > 33)
  }

  /// A codec leaves rows and columns beyond the last block as they are, which must not be seen.
  @Test(
    "has its colour up to the edge at every size",
    arguments: [
      (20_000, 1), (9_000, 3), (3_000, 17), (4_000, 24), (1, 20_000), (17, 3_000), (90, 9),
    ])
  func flat(width: Int, height: Int) throws {
    let colour: [UInt8] = [20, 150, 40, 255]
    let bytes = [UInt8](repeatElement(colour, count: width * height).joined())
    let plane = Plane(width: width, height: height, pixelSize: 4, bytes: bytes)
    let file = try ImageEncoder().encode(
      Raster(layout: .rgba(isOpaque: true), planes: [plane]), quality: 95
    ).bytes
    for side in [40, 256, 1_000] {
      let shown = try file.asSource { try CodecsDecoder().thumbnail($0, side: side) }
      let differences = shown.rgb.enumerated().map { abs($1 - Double(colour[$0 % 3])) }
      #expect(differences.allSatisfy { $0 <= 4 }, "\(side): \(differences.max() ?? 0)")
    }
  }

  @Test("may state its height behind the first scan")
  func lateHeight() throws {
    let whole = try Pictures.jpeg(width: 100, height: 60)
    let frame = try #require(whole.indices.first { whole[$0...].starts(with: [0xff, 0xc0]) })
    var late = whole
    (late[frame + 5], late[frame + 6]) = (0, 0)
    late.insert(contentsOf: [0xff, 0xdc, 0, 4, 0, 60], at: late.count - 2)
    let decoder = try CodecsDecoder()
    let info = try late.asSource { try decoder.probe($0) }
    #expect((info.width, info.height) == (100, 60))
    let expected = try whole.asSource { try decoder.thumbnail($0, side: 100) }
    let shown = try late.asSource { try decoder.thumbnail($0, side: 100) }
    #expect(shown.planes.map(\.bytes) == expected.planes.map(\.bytes))
    late[late.count - 3] = 0
    #expect(throws: RenderError.self) { try late.asSource { try decoder.probe($0) } }
  }

  @Test("keeps its colour space from decoder to encoder")
  func layout() throws {
    let bytes = try Pictures.jpeg(width: 100, height: 60)
    let page = try bytes.asSource { try CodecsDecoder().decode($0, page: 0, side: 50) }
    #expect(page.raster.layout == .yCbCr)
    let again = try ImageEncoder().encode(
      page.raster.scaled(to: PixelSize(width: 51, height: 31)), quality: 90)
    #expect((again.width, again.height) == (51, 31))
    let decoded = try again.bytes.asSource { try CodecsDecoder().thumbnail($0, side: 51) }
    let expected = Pictures.waves(width: 100, height: 60).scaled(
      to: PixelSize(width: 51, height: 31))
    #expect(psnr(decoded, expected) > 28)
  }

  @Test("is a failure when its end is missing")
  func truncated() throws {
    let whole = try Pictures.jpeg(width: 200, height: 150)
    let decoder = try CodecsDecoder()
    for missing in [3, 4, 20, whole.count / 10, whole.count / 2, whole.count - 30] {
      let bytes = Array(whole.dropLast(missing))
      let error = #expect(throws: RenderError.self, "\(missing) bytes are missing") {
        try bytes.asSource { try decoder.thumbnail($0, side: 100) }
      }
      #expect(error?.code == .truncated || error?.code == .damaged)
      if missing <= 20 {
        #expect(error?.detail == "the JPEG file ends too early, a part of it is missing")
      }
    }
    // The decoder is as good as new afterwards.
    #expect(throws: Never.self) { try whole.asSource { try decoder.thumbnail($0, side: 100) } }
  }

  @Test(
    "is opened after a file that was refused by its header", arguments: [0xc3, 0xf7] as [UInt8])
  func afterRefusal(marker: UInt8) throws {
    let whole = try Pictures.jpeg(width: 200, height: 150)
    var refused = whole
    let frame = try #require(whole.indices.first { whole[$0...].starts(with: [0xff, 0xc0]) })
    refused[frame + 1] = marker
    let decoder = try CodecsDecoder()
    let error = #expect(throws: RenderError.self) {
      try refused.asSource { try decoder.thumbnail($0, side: 100) }
    }
    #expect(error?.code == .unsupported, "\(error?.detail ?? "")")
    #expect(throws: Never.self) { try whole.asSource { try decoder.thumbnail($0, side: 100) } }
  }

  @Test("is refused by its header when it is too large")
  func bomb() throws {
    var bytes = try Pictures.jpeg(width: 64, height: 64)
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc0 })
    bytes.replaceSubrange((frame + 5)..<(frame + 9), with: [0xff, 0xdc, 0xff, 0xdc])
    let error = #expect(throws: RenderError.self) {
      try bytes.asSource { try CodecsDecoder().thumbnail($0, side: 100) }
    }
    #expect(error?.code == .limit)
    #expect(error?.detail.contains("limits.imageSide (20000)") == true)
  }

  @Test("survives any byte changed")
  func mutations() throws {
    let whole = try Pictures.jpeg(width: 48, height: 32)
    let decoder = try CodecsDecoder()
    var random = SeededGenerator(seed: 7)
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      // A picture or a reason; what must not happen is anything else.
      do throws(RenderError) {
        let raster = try bytes.asRaster(decoder, side: 20)
        #expect(raster.width > 0)
      } catch {
        #expect(!error.detail.isEmpty)
      }
    }
  }
}

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value &>> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value &>> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value &>> 31)
  }
}

extension [UInt8] {
  func asRaster(_ decoder: any ImageDecoder, side: Int) throws(RenderError) -> Raster {
    let result: Result<Raster, RenderError> = asSource { source in
      do throws(RenderError) {
        return .success(try decoder.thumbnail(source, side: side))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
