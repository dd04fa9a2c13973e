import Decoding
import Models
import Rendering
import TestSupport
import Testing

extension DecoderContract {
  static let descriptions = [
    DecoderRule("has a name that can be a setting's value, and formats that can be shown") {
      fixture in
      let name = fixture.descriptor.name
      #expect(!name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "-") })
      let formats = fixture.descriptor.summary.formats
      #expect(!formats.isEmpty)
      #expect(formats.allSatisfy { $0.kind == .image || $0.kind == .document })
    },
    DecoderRule("names the formats that it opens") { fixture in
      #expect(fixture.descriptor.summary.formats.contains(fixture.format))
    },
    DecoderRule("needs no more memory than a worker has addresses for") { fixture in
      let bytes = fixture.descriptor.summary.sandbox.memoryBytes
      #expect((64 << 20...SandboxProfile.addressSpaceBytes).contains(bytes))
    },
    DecoderRule("names the libraries that it uses") { fixture in
      let libraries = fixture.descriptor.libraries
      #expect(!libraries.isEmpty)
      for library in libraries {
        #expect(!library.name.isEmpty && !library.use.isEmpty)
        #expect(library.problem == nil, "\(library.name)")
      }
    },
  ]

  static let pictures = [
    DecoderRule("reports format, size and pages from the header") { fixture in
      let info = try fixture.probe()
      #expect(info.format == fixture.format)
      #expect((info.width, info.height) == (fixture.sample.width, fixture.sample.height))
      #expect(info.pageCount == fixture.sample.pageCount)
    },
    DecoderRule("says the same of a file when it decodes it") { fixture in
      let (decoded, probed) = (try fixture.decode().info, try fixture.probe())
      #expect(decoded == probed)
    },
    DecoderRule("gives an image at least as large as wanted, or as large as it is") { fixture in
      guard !fixture.isDocument else { return }
      let longest = max(fixture.sample.width, fixture.sample.height)
      for side in [1, 7, longest, 4 * longest] {
        let page = try fixture.decode(side: side)
        let size = max(page.raster.width, page.raster.height)
        #expect(page.damage == nil)
        #expect((min(side, longest)...longest).contains(size), "\(side) wanted, \(size) came")
      }
    },
    DecoderRule("gives a page of a document in exactly the size wanted") { fixture in
      guard fixture.isDocument else { return }
      for side in [5, 64, 500] {
        let raster = try fixture.decode(side: side).raster
        #expect(max(raster.width, raster.height) == side)
      }
    },
    DecoderRule("keeps the shape") { fixture in
      let raster = try fixture.decode(side: 1_000).raster
      let expected = Double(fixture.sample.width) / Double(fixture.sample.height)
      // A side is whole pixels, of a picture that may have only a few.
      let most = Double(raster.width + 1) / Double(max(1, raster.height - 1))
      let least = Double(raster.width - 1) / Double(raster.height + 1)
      #expect((least...most).contains(expected))
    },
    DecoderRule("decodes every page") { fixture in
      for page in 0..<fixture.sample.pageCount { #expect(fixture.fault(page: page) == nil) }
    },
    DecoderRule("makes the same picture of the same bytes") { fixture in
      let (first, second) = (try fixture.decode().raster, try fixture.decode().raster)
      #expect(first.layout == second.layout)
      #expect(first.planes.map(\.bytes) == second.planes.map(\.bytes))
    },
  ]

  static let refusals = [
    DecoderRule("refuses a page that does not exist") { fixture in
      for page in [fixture.sample.pageCount, Int.max, -1] {
        #expect(fixture.fault(page: page)?.code == .damaged, "page \(page)")
      }
    },
    DecoderRule("refuses a size beyond the limits, and names the limit") { fixture in
      guard !fixture.isDocument else { return }
      var limits = RenderLimits()
      limits.pixels = 1
      #expect(throws: RenderError.self) { try fixture.probe(limits: limits) }
      let error = fixture.fault(limits: limits)
      #expect(error?.code == .limit && error?.detail.contains("limits.imagePixels") == true)
    },
    DecoderRule("refuses a page of more pixels than the limit, and names it") { fixture in
      guard fixture.isDocument else { return }
      var limits = RenderLimits()
      limits.pagePixels = 1
      let error = fixture.fault(limits: limits)
      #expect(error?.code == .limit && error?.detail.contains("limits.pdfPagePixels") == true)
    },
    DecoderRule("shows as many pages as the limit, and names it") { fixture in
      guard fixture.sample.pageCount > 1 else { return }
      var limits = RenderLimits()
      limits.pages = fixture.sample.pageCount - 1
      let info = try fixture.probe(limits: limits)
      #expect(info.pageCount == limits.pages)
      #expect(fixture.fault(limits: limits) == nil)
    },
  ]

  /// What a file may be called that is not whole.
  private static let codes: Set<RenderError.Code> = [
    .damaged, .truncated, .unsupported, .encrypted, .limit,
  ]

  static let damages = [
    DecoderRule("never takes an image for whole that is cut in the middle") { fixture in
      // Of several pages the first may be whole.
      guard !fixture.isDocument, fixture.sample.pageCount == 1 else { return }
      let error = fixture.fault(
        of: Array(fixture.sample.bytes.prefix(fixture.sample.bytes.count / 2)))
      #expect(error.map { codes.contains($0.code) } == true, "\(error?.detail ?? "whole")")
    },
    DecoderRule("describes in a sentence the damage of a file that is truncated anywhere") {
      fixture in
      let count = fixture.sample.bytes.count
      for end in stride(from: 1, to: count, by: max(1, count / 40)) {
        guard let error = fixture.fault(of: Array(fixture.sample.bytes.prefix(end))) else {
          continue
        }
        #expect(codes.contains(error.code), "\(error.code) at \(end) of \(count)")
        expectSentence(error.detail)
      }
    },
    DecoderRule("is as good as new after a file that is damaged") { fixture in
      let sound = try fixture.decode().raster.planes.map(\.bytes)
      var generator = SeededGenerator(seed: 7)
      for _ in 0..<20 {
        var bytes = fixture.sample.bytes
        let place = Int.random(in: bytes.indices, using: &generator)
        bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
        if let error = fixture.fault(of: bytes) { #expect(codes.contains(error.code)) }
      }
      let again = try fixture.decode().raster.planes.map(\.bytes)
      #expect(again == sound)
    },
  ]
}
