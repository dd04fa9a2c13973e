import Decoding
import Rendering
import RenderingCodecs
import RenderingVips
import Testing

/// M5: the thumbnail is the same for every orientation of the camera, with our own images. Those of
/// other projects are in `CorpusTests`.
@Suite("Orientation") struct OrientationTests {
  @Test(
    "eight files of each shape give the same thumbnail by each decoder",
    arguments: [(321, 241), (241, 321)])
  func sameThumbnail(_ width: Int, _ height: Int) throws {
    let upright = Pictures.waves(width: width, height: height)
    let decoders: [any ImageDecoder] = [try CodecsDecoder(), try VipsDecoder()]
    for decoder in decoders {
      var thumbnails: [Raster] = []
      for orientation in Orientation.allCases {
        let stored = try ImageEncoder().encode(upright.stored(as: orientation), quality: 95)
        let file = Self.marked(stored.bytes, orientation)
        let info = try file.asSource { try decoder.probe($0) }
        #expect((info.width, info.height) == (width, height), "\(orientation)")
        thumbnails.append(try file.asSource { try decoder.thumbnail($0, side: 100) })
      }
      let noise = thumbnails.map { psnr($0, thumbnails[0]) }
      let least = noise.min() ?? 0
      print(
        "orientations of \(width) × \(height) by \(type(of: decoder)): \(least) dB at the least")
      #expect(thumbnails.count == 8)
      #expect(least >= 30)
      // Not only alike: it is the picture.
      let expected = upright.scaled(to: PixelSize(width: width, height: height).fitting(100))
      #expect(psnr(thumbnails[0], expected) >= 27)
    }
  }

  @Test("the first of several EXIF blocks counts", arguments: [true, false])
  func severalBlocks(isTurned: Bool) throws {
    let stored = try Pictures.jpeg(width: 64, height: 32)
    let first = isTurned ? Orientation.turnedLeft : .upright
    let second = isTurned ? Orientation.upright : .turnedLeft
    let file = Self.marked(Self.marked(stored, second), first)
    let expected = isTurned ? (32, 64) : (64, 32)
    for decoder in [try CodecsDecoder(), try VipsDecoder()] as [any ImageDecoder] {
      let info = try file.asSource { try decoder.probe($0) }
      #expect((info.width, info.height) == expected, "\(type(of: decoder))")
    }
  }

  /// The file with an EXIF block behind its first marker (EXIF 2.3, section 4.5.4).
  private static func marked(_ jpeg: [UInt8], _ orientation: Orientation) -> [UInt8] {
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation.rawValue, 0, 0]
    let block: [UInt8] =
      Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
    return jpeg.prefix(2) + [0xff, 0xe1, 0, UInt8(block.count + 2)] + block + jpeg.dropFirst(2)
  }
}

extension Raster {
  /// The rows that a camera held this way would have written, by the table of EXIF 2.3, section
  /// 4.6.4: where the stored row 0 and column 0 lie in the upright picture.
  func stored(as orientation: Orientation) -> Raster {
    let upright = planes[0]
    let (width, height) = (upright.width, upright.height)
    let (storedWidth, storedHeight) = orientation.swapsAxes ? (height, width) : (width, height)
    var bytes: [UInt8] = []
    for row in 0..<storedHeight {
      for column in 0..<storedWidth {
        let (x, y) =
          switch orientation {
          case .upright: (column, row)
          case .mirrored: (width - 1 - column, row)
          case .upsideDown: (width - 1 - column, height - 1 - row)
          case .mirroredUpsideDown: (column, height - 1 - row)
          case .transposed: (row, column)
          case .turnedLeft: (width - 1 - row, column)
          case .transverse: (width - 1 - row, height - 1 - column)
          case .turnedRight: (row, height - 1 - column)
          }
        bytes += upright.bytes[((y * width + x) * 4)..<((y * width + x) * 4 + 4)]
      }
    }
    let plane = Plane(width: storedWidth, height: storedHeight, pixelSize: 4, bytes: bytes)
    return Raster(layout: layout, planes: [plane])
  }
}
