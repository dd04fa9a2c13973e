import Models
import Rendering
import TestSupport
import Testing

/// Files of cameras in the form of a TIFF: the first page is a small picture, or the data of the sensor.
@Suite("Camera raw files") struct CameraRawTests {
  /// The data of a sensor of 64 × 48 places.
  private static func sensor(_ file: inout TestTIFF.Assembly, meaning: Int = 32_803) -> [Int: [Int]]
  {
    let data = [UInt8](repeating: 200, count: 64 * 48 * 2)
    return [
      254: [0], 256: [64], 257: [48], 258: [16], 259: [1], 262: [meaning], 273: [file.add(data)],
      277: [1], 278: [48], 279: [data.count],
    ]
  }

  /// A page of 16 × 12 pixels in one colour.
  private static func reduced(_ file: inout TestTIFF.Assembly) -> [Int: [Int]] {
    let data = [UInt8](repeatElement([200, 80, 20], count: 16 * 12).joined())
    return [
      254: [1], 256: [16], 257: [12], 258: [8, 8, 8], 259: [1], 262: [2], 273: [file.add(data)],
      277: [3], 278: [12], 279: [data.count],
    ]
  }

  private static let squares: [[UInt8]] = [[200, 128, 128], [90, 60, 200]]

  /// The directory of a JPEG.
  private static func preview(_ file: inout TestTIFF.Assembly, _ jpeg: [UInt8]) -> [Int: [Int]] {
    [254: [1], 259: [7], 262: [6], 273: [file.add(jpeg)], 279: [jpeg.count]]
  }

  /// A file as cameras write them: a reduced image first, the data and previews below it.
  private static func file(
    jpegs: [[UInt8]], orientation: Int = 1, isDNG: Bool = true, isFirstOfSensor: Bool = false
  ) -> [UInt8] {
    var file = TestTIFF.Assembly()
    let data = sensor(&file)
    var below = [file.directory(data)]
    for jpeg in jpegs {
      let fields = preview(&file, jpeg)
      below.append(file.directory(fields))
    }
    var first = isFirstOfSensor ? sensor(&file) : reduced(&file)
    first[330] = below
    first[274] = [orientation]
    if isDNG { first[50_706] = [1, 4, 0, 0] }
    return finished(file, first)
  }

  private static func finished(_ file: TestTIFF.Assembly, _ first: [Int: [Int]]) -> [UInt8] {
    var file = file
    let place = file.directory(first)
    return file.finished(first: place)
  }

  private static let remark = "a camera raw file, of which the embedded preview of"

  @Test("are shown as the largest JPEG in them", arguments: [true, false])
  func largest(isDNG: Bool) async throws {
    let shown = try await Shown(
      Self.file(
        jpegs: [TestJPEG.squares(Self.squares), TestJPEG.flat(width: 64, height: 40)], isDNG: isDNG)
    )
    #expect((shown.info.width, shown.info.height, shown.info.pageCount) == (64, 40, 1))
    #expect(shown.info.format == .tiff && shown.damage == nil)
    #expect(shown.colour(32, 20) == [128, 128, 128, 255])
    #expect(shown.remark == "\(Self.remark) 64 × 40 pixels is shown")
  }

  /// By ITU-R BT.601: a grey of 200, and red = 90 + 1.402 · 72.
  @Test("are turned as the file says")
  func turned() async throws {
    let jpeg = TestJPEG.squares(Self.squares)
    let upright = try await Shown(Self.file(jpegs: [jpeg]))
    #expect((upright.info.width, upright.info.height) == (16, 8))
    #expect(distance(upright.colour(2, 4), [200, 200, 200, 255]) <= 3)
    #expect(distance(upright.colour(13, 4), [191, 62, 0, 255]) <= 4, "\(upright.colour(13, 4))")
    // The first column becomes the first row (EXIF 2.3, orientation 6), or the last one (8).
    for (orientation, first) in [(6, 2), (8, 13)] {
      let shown = try await Shown(Self.file(jpegs: [jpeg], orientation: orientation))
      #expect((shown.info.width, shown.info.height) == (8, 16))
      #expect(distance(shown.colour(4, first), [200, 200, 200, 255]) <= 3, "\(orientation)")
    }
  }

  @Test("without a JPEG are shown as the reduced image that they begin with")
  func reducedImage() async throws {
    let shown = try await Shown(Self.file(jpegs: []))
    #expect(shown.colour(8, 6) == [200, 80, 20, 255])
    #expect(shown.remark == "\(Self.remark) 16 × 12 pixels is shown")
  }

  @Test("are no pictures if they have no preview", arguments: [32_803, 34_892])
  func noPreview(meaning: Int) async throws {
    var file = TestTIFF.Assembly()
    let first = Self.sensor(&file, meaning: meaning)
    let bytes = Self.finished(file, first)
    let error = await #expect(throws: RenderError.self) { try await Shown(bytes) }
    #expect(
      error
        == .init(
          .unsupported, "the TIFF file is a camera raw file without a preview that imgdl shows"))
    // A lossless JPEG, and one of 12 bits, are data of the sensor.
    var lossless = TestJPEG.flat(width: 64, height: 40)
    let frame = try #require(lossless.indices.first { lossless[$0...].starts(with: [0xff, 0xc0]) })
    var deep = lossless
    (lossless[frame + 1], deep[frame + 4]) = (0xc3, 12)
    for jpeg in [lossless, deep, Array(lossless.prefix(9)), []] {
      let file = Self.file(jpegs: [jpeg], isFirstOfSensor: true)
      let error = await #expect(throws: RenderError.self) { try await Shown(file) }
      #expect(error?.code == .unsupported)
    }
  }

  /// CR2: the mark is behind the header, and the JPEG in the first directory.
  @Test("of Canon are recognised by their mark")
  func canon() async throws {
    var file = TestTIFF.Assembly()
    _ = file.add(Array("CR\u{2}\0\0\0\0\0".utf8))
    let jpeg = TestJPEG.flat(width: 64, height: 40)
    let fields = [256: [64], 257: [40], 259: [6], 273: [file.add(jpeg)], 279: [jpeg.count]]
    let shown = try await Shown(Self.finished(file, fields))
    #expect(
      shown.colour(5, 5) == [128, 128, 128, 255] && shown.remark?.hasPrefix(Self.remark) == true)
  }

  @Test("are not confused with pictures that have reduced versions of themselves")
  func pyramid() async throws {
    var file = TestTIFF.Assembly()
    let below = Self.reduced(&file)
    var first = Self.reduced(&file)
    let place = file.directory(below)
    (first[254], first[330]) = ([0], [place])
    let shown = try await Shown(Self.finished(file, first))
    #expect(shown.remark == nil && shown.info.width == 16)
  }
}
