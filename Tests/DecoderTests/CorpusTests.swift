import Decoding
import Models
import Rendering
import RenderingCodecs
import RenderingPoppler
import RenderingVips
import SystemCalls
import TestSupport
import Testing

/// Files of other projects. Files that crash decoders are decoded in worker processes, in
/// `RenderingTests`.
@Suite(
  "The corpus",
  .enabled(if: Corpus.folder != nil, "the corpus is not beside the project (IMGDL_CORPUS)"))
struct CorpusTests {
  private func name(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  private func decode(_ path: String, _ decoder: any ImageDecoder, side: Int) throws -> Raster {
    let bytes = try FileSystem.contents(of: path, limit: 1 << 26)
    return try bytes.asRaster(decoder, side: side)
  }

  @Test("PngSuite: each valid image decodes at its size, each x file has damage")
  func pngSuite() throws {
    let decoder = try CodecsDecoder()
    let files = Corpus.files("pngsuite", endingWith: [".png"])
    #expect(files.count > 150)
    for path in files {
      let bytes = try FileSystem.contents(of: path)
      if name(path).hasPrefix("x") {
        let damage = bytes.asSource { source -> RenderError? in
          do throws(RenderError) {
            return try decoder.decode(source, page: 0, side: 1_000).damage
          } catch {
            return error
          }
        }
        #expect(damage?.detail.isEmpty == false, "\(name(path))")
        continue
      }
      let raster = try bytes.asSource { try decoder.thumbnail($0, side: 1_000) }
      let width = Int(bytes[18]) << 8 | Int(bytes[19])
      let height = Int(bytes[22]) << 8 | Int(bytes[23])
      #expect((raster.width, raster.height) == (width, height), "\(name(path))")
    }
  }

  @Test(
    "orientation: nine files of each shape give the same thumbnail",
    arguments: ["Landscape", "Portrait"])
  func orientation(_ shape: String) throws {
    let decoder = try CodecsDecoder()
    let rasters = try Corpus.files("exif-orientation", endingWith: [".jpg"])
      .filter { name($0).hasPrefix(shape) }.map { try decode($0, decoder, side: 256) }
    #expect(rasters.count == 9)
    // Each file has its number painted into it: the upper third has none.
    let noise = rasters.dropFirst().map { psnr($0.upperThird, rasters[0].upperThird) }
    print("orientation, \(shape): \(noise.min() ?? 0) dB at the least")
    for distance in noise { #expect(distance >= 30) }
  }

  @Test("photos: each decodes")
  func photos() throws {
    let decoder = try CodecsDecoder()
    let files = Corpus.files("photos", endingWith: [".jpg"])
    #expect(files.count == 40)
    for path in files {
      #expect(throws: Never.self, "\(name(path))") { try decode(path, decoder, side: 64) }
    }
  }

  /// What keeps the least from being more is colour, of which a JPEG has one sample for four pixels.
  @Test("photos: thumbnails are those of libvips: 35 dB in the middle, 30 at the least, 36 in tone")
  func agreement() throws {
    let (codecs, vips) = (try CodecsDecoder(), try VipsDecoder())
    var noise: [Double] = []
    var toneNoise: [Double] = []
    for path in Corpus.files("photos", endingWith: [".jpg"]) {
      let bytes = try FileSystem.contents(of: path, limit: 1 << 26)
      let ours = try bytes.asSource { try codecs.thumbnail($0, side: 256) }
      let theirs = try bytes.asSource { try vips.thumbnail($0, side: 256) }
      #expect((ours.width, ours.height) == (theirs.width, theirs.height), "\(name(path))")
      let distance = psnr(ours, theirs)
      #expect(distance >= 30, "\(name(path))")
      noise.append(distance)
      toneNoise.append(lumaPSNR(ours, theirs))
    }
    let median = noise.sorted()[noise.count / 2]
    let tone = toneNoise.min() ?? 0
    print(
      "thumbnails to libvips': median \(median) dB, minimum \(noise.min() ?? 0) dB, \(tone) in tone"
    )
    #expect(tone >= 36)
    #expect(median >= 35)
  }

  /// M9.
  @Test("JPEG: the codecs and libvips agree on every file that both decode")
  func allJPEG() throws {
    let (codecs, vips) = (try CodecsDecoder(), try VipsDecoder())
    var both = 0
    for set in ["image-rs", "exif-orientation"] {
      for path in Corpus.files(set, endingWith: [".jpg", ".jpeg"]) {
        let bytes = try FileSystem.contents(of: path, limit: 1 << 26)
        guard let ours = try? bytes.asSource({ try codecs.thumbnail($0, side: 256) }),
          let theirs = try? bytes.asSource({ try vips.thumbnail($0, side: 256) })
        else { continue }
        both += 1
        #expect((ours.width, ours.height) == (theirs.width, theirs.height), "\(name(path))")
        #expect(lumaPSNR(ours, theirs) > 28, "\(name(path))")
      }
    }
    #expect(both > 15)
  }

  @Test("encrypted PDFs that need a password report it")
  func encrypted() throws {
    let decoder = try PopplerDecoder()
    let files = Corpus.files("pdf", endingWith: [".pdf"]).filter {
      name($0).hasPrefix("enc-") && name($0).contains("U=view")
    }
    #expect(!files.isEmpty)
    for path in files {
      let error = #expect(throws: RenderError.self, "\(name(path))") {
        try decode(path, decoder, side: 64)
      }
      #expect(error == RenderError(.encrypted, "the PDF file is encrypted and needs a password"))
    }
  }

  @Test("encrypted PDFs that need no password are drawn")
  func encryptedForAll() throws {
    let decoder = try PopplerDecoder()
    let files = Corpus.files("pdf", endingWith: [".pdf"]).filter {
      name($0).hasPrefix("enc-") && name($0).contains(",O=") && !name($0).contains("U=")
    }
    #expect(files.count >= 3)
    for path in files {
      #expect(throws: Never.self, "\(name(path))") { try decode(path, decoder, side: 64) }
    }
  }
}

extension Raster {
  fileprivate var upperThird: Raster {
    let planes = planes.map { plane in
      let height = plane.height / 3
      return Plane(
        width: plane.width, height: height, pixelSize: plane.pixelSize,
        bytes: Array(plane.bytes.prefix(height * plane.rowBytes)))
    }
    return Raster(layout: layout, planes: planes)
  }
}
