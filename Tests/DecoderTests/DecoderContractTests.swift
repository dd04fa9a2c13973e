import Decoding
import DecoderContracts
import Models
import Rendering
import RenderingCodecs
import RenderingPoppler
import RenderingVips
import TestSupport
import Testing

/// The contract with the decoders that there are. One after another: libvips keeps its complaints in one
/// place for all threads.
@Suite("Every decoder", .serialized) struct DecoderContractTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let descriptor: DecoderDescriptor
    let sample: DecoderSample

    var testDescription: String { "\(descriptor.name) with \(sample.name)" }
  }

  static let descriptors =
    CodecsPlugin.decoders + VipsPlugin.decoders + PopplerPlugin.decoders

  /// Each sample with each decoder that opens its format.
  static let cases = samples.flatMap { sample in
    let format = ResourceFormat(sniffing: sample.bytes)
    return descriptors.filter { $0.summary.formats.contains(format) }.map {
      Case(descriptor: $0, sample: sample)
    }
  }

  @Test("keeps the contract", arguments: DecoderContract.rules, cases)
  func contract(_ rule: DecoderRule, _ decoder: Case) throws {
    try rule.check(decoder.descriptor, with: decoder.sample)
  }

  @Test("has a sample, and a name that no other one has")
  func samplesOfAll() {
    for descriptor in Self.descriptors {
      #expect(
        Self.cases.contains { $0.descriptor.name == descriptor.name }, "\(descriptor.name)")
    }
    #expect(Set(Self.descriptors.map(\.name)).count == Self.descriptors.count)
  }

  private static let svg = """
    <svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">\
    <rect width="20" height="30" fill="red"/></svg>
    """

  static let samples = [
    DecoderSample("JPEG", TestJPEG.flat(width: 64, height: 48), width: 64, height: 48),
    DecoderSample("PNG", TestPicture.png(width: 40, height: 30), width: 40, height: 30),
    DecoderSample("WebP", Fixtures.webP, width: 4, height: 3),
    DecoderSample("BMP", BMPTests.sample, width: 2, height: 2),
    DecoderSample("GIF", Fixtures.gif, width: 4, height: 3),
    DecoderSample(
      "TIFF", Fixtures.tiff(tones: [10, 120, 250]), width: 40, height: 40, pageCount: 3),
    DecoderSample("SVG", Array(svg.utf8), width: 40, height: 30),
    DecoderSample(
      "PDF", Fixtures.pdf(pages: [(200, 100, ""), (50, 400, "")]), width: 200, height: 100,
      pageCount: 2),
  ]
}
