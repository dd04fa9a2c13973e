import Models
import Rendering
import RenderingSandbox
import TestSupport
import Testing

/// A sound file is no damaged one: it is shown, or the reason says what imgdl does not read.
@Suite("Sound files of unusual kinds") struct SoundFileTests {
  private static let tones: [[UInt8]] = [[40], [90], [200]]

  @Test(
    "a JPEG without an end marker that has all pixels is whole, with a remark",
    arguments: ["auto", "vips"])
  func jpegWithoutEnd(_ decoder: String) async throws {
    let whole = TestJPEG.squares(Self.tones)
    for file in [Array(whole.dropLast(2)), Array(whole.dropLast(1))] {
      let shown = try await Shown(file, decoder: decoder)
      #expect(shown.damage == nil && shown.remark?.contains("no end marker") == true)
      #expect(shown.squares == [[40, 40, 40], [90, 90, 90], [200, 200, 200]])
    }
    #expect(try await Shown(whole, decoder: decoder).remark == nil)
    let cut = try await Shown(Array(whole.dropLast(4)), decoder: decoder)
    #expect(cut.damage?.isDamage == true && cut.remark == nil)
  }

  @Test(
    "a PNG without an end chunk that has all pixels is whole, with a remark",
    arguments: ["auto", "vips"])
  func pngWithoutEnd(_ decoder: String) async throws {
    let whole = TestPicture.png(width: 20, height: 20)
    for missing in [12, 5] {
      let shown = try await Shown(Array(whole.dropLast(missing)), decoder: decoder)
      #expect(shown.damage == nil && shown.remark?.contains("no end chunk") == true)
      #expect(shown.colour(19, 19) == [200, 80, 20, 255])
    }
    #expect(try await Shown(whole, decoder: decoder).remark == nil)
    let cut = try await Shown(Array(whole.dropLast(30)), decoder: decoder)
    #expect(cut.damage?.isDamage == true && cut.remark == nil)
  }

  @Test("a GIF without a trailer that has all pixels is whole, with a remark")
  func gifWithoutTrailer() async throws {
    let whole = TestGIF.file(
      width: 20, height: 20,
      palette: [[0, 0, 0], [200, 80, 20], [1, 2, 3], [255, 255, 255]],
      frames: [[UInt8](repeating: 1, count: 400)])
    let shown = try await Shown(Array(whole.dropLast(1)))
    #expect(shown.damage == nil && shown.remark?.contains("no trailer") == true)
    #expect(shown.colour(19, 19) == [200, 80, 20, 255])
    #expect(try await Shown(whole).remark == nil)
    // The end of the pixels is missing as well.
    let cut = try await Shown(Array(whole.dropLast(2)))
    #expect(cut.damage?.code == .truncated && cut.remark == nil)
  }

  @Test(
    "JPEG of kinds that no decoder reads is called by its kind, not damaged",
    arguments: [
      (0xc3, 8, "is lossless"), (0xf7, 8, "is a JPEG-LS"), (0xc0, 12, "does not have 8 bits"),
    ] as [(UInt8, UInt8, String)])
  func jpegKinds(_ marker: UInt8, _ precision: UInt8, _ words: String) async throws {
    var file = TestJPEG.squares(Self.tones)
    let frame = try #require(file.indices.first { file[$0...].starts(with: [0xff, 0xc0]) })
    file[frame + 1] = marker
    file[frame + 4] = precision
    let bytes = file
    for decoder in ["auto", "vips"] {
      let error = await #expect(throws: RenderError.self) {
        try await Shown(bytes, decoder: decoder)
      }
      #expect(error?.code == .unsupported, "\(error?.detail ?? "")")
      #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
    }
  }

  @Test("a PNG in the variant of Apple's devices is called so", arguments: ["auto", "vips"])
  func applePNG(_ decoder: String) async throws {
    var file = TestPicture.png(width: 20, height: 20)
    file.insert(contentsOf: TestPicture.chunk("CgBI", [0x50, 0, 0x20, 6]), at: 8)
    for bytes in [file, Array(file.dropLast(12)), Array(file.prefix(60))] {
      let error = await #expect(throws: RenderError.self) {
        try await Shown(bytes, decoder: decoder)
      }
      #expect(
        error
          == RenderError(
            .unsupported,
            "the PNG file is of a variant for Apple's devices (CgBI), which imgdl does not read"))
    }
  }

  @Test("a PDF with a mask that cairo cannot hold is drawn without its image, with a remark")
  func widePDF() async throws {
    let stencil = TestPDF.stream(
      String(repeating: "00", count: 5_000) + ">",
      "/Type /XObject /Subtype /Image /ImageMask true /Width 40000 /Height 1 /BitsPerComponent 1 "
        + "/Filter /ASCIIHexDecode")
    let shown = try await Shown(
      TestPDF.page(
        "0 0 1 rg 0 0 50 100 re f 100 0 0 100 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>",
        others: [stencil]), side: 40)
    #expect(shown.damage == nil && shown.remark?.contains("40000 pixels is missing") == true)
    #expect(shown.colour(10, 20) == [0, 0, 255, 255] && shown.colour(30, 20)[0] == 255)
  }

  private static let plain =
    "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'>"
    + "<rect width='20' height='20' fill='#c85014'/></svg>"

  private static let prefixed =
    "<x:svg xmlns:x='http://www.w3.org/2000/svg' width='20' height='20'>"
    + "<x:rect width='20' height='20' fill='#c85014'/></x:svg>"

  /// An attribute of more than 10 MB, as an embedded photograph is one.
  private static let long = plain.replacing(
    "height='20'>", with: "height='20' data-x='\(String(repeating: "A", count: 10_500_000))'>",
    maxReplacements: 1)

  @Test(
    "an SVG is drawn with any prefix, with long attributes and compressed",
    arguments: [
      ("prefix", Array(prefixed.utf8), ResourceFormat.svg), ("long", Array(long.utf8), .svg),
      ("compressed", TestPicture.gzip(Array(plain.utf8)), .svgz),
    ])
  func drawn(_ name: String, _ file: [UInt8], _ format: ResourceFormat) async throws {
    let shown = try await Shown(file)
    #expect((shown.info.format, shown.info.width) == (format, 20), "\(name)")
    #expect(shown.colour(10, 10) == [200, 80, 20, 255], "\(name)")
  }

  @Test("a PDF is drawn whose header follows other bytes")
  func latePDF() async throws {
    let file = [UInt8](repeating: 0x20, count: 1_000) + TestPDF.page("1 0 0 rg 0 0 100 100 re f")
    let shown = try await Shown(file, side: 40)
    #expect(shown.info.format == .pdf && shown.colour(20, 20) == [255, 0, 0, 255])
  }

  @Test("a PDF that is encrypted for a certificate asks for no password")
  func certificate() async throws {
    let file = """
      %PDF-1.5
      1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
      2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
      3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 20 20]>>endobj
      4 0 obj<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4>>endobj
      trailer<</Root 1 0 R/Encrypt 4 0 R/ID[<00><00>]/Size 5>>
      %%EOF
      """
    let error = await #expect(throws: RenderError.self) { try await Shown(Array(file.utf8)) }
    #expect(error?.code == .unsupported)
    #expect(error?.detail.contains("certificate") == true, "\(error?.detail ?? "")")
  }
}
