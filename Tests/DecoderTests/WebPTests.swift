import Decoding
import Rendering
import RenderingCodecs
import RenderingVips
import Testing

@Suite("WebP") struct WebPTests {
  @Test("has colours multiplied by alpha after decoding")
  func lossless() throws {
    let page = try Fixtures.webP.asSource { try CodecsDecoder().decode($0, page: 0, side: 4) }
    #expect(page.info.hasAlpha && !page.info.isAnimated)
    let bytes = page.raster.planes[0].bytes
    #expect(Array(bytes[16..<24]) == [0, 100, 50, 255, 80, 100, 50, 255])
    // 160, 100 and 50 times 100 / 255, rounded down by the library.
    #expect(Array(bytes[24..<28]) == [62, 39, 19, 100])
  }

  @Test("with frames is another decoder's, which shows the first")
  func animated() throws {
    let error = #expect(throws: RenderError.self) {
      try Fixtures.animatedWebP.asSource { try CodecsDecoder().decode($0, page: 0, side: 4) }
    }
    #expect(error?.code == .unsupported)
    let page = try Fixtures.animatedWebP.asSource {
      try VipsDecoder().decode($0, page: 0, side: 4)
    }
    #expect(page.info.isAnimated)
    #expect((page.info.width, page.info.height, page.info.pageCount) == (4, 3, 1))
    #expect(Array(page.raster.planes[0].bytes[20..<24]) == [80, 100, 50, 255])
  }

  @Test("is a failure when its end is missing")
  func truncated() throws {
    for missing in [1, 8, 30] {
      let bytes = Array(Fixtures.webP.dropLast(missing))
      let error = #expect(throws: RenderError.self) {
        try bytes.asSource { try CodecsDecoder().thumbnail($0, side: 4) }
      }
      #expect(error?.code == .truncated, "\(missing) bytes are missing")
    }
  }
}
