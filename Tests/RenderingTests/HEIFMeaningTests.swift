import Foundation
import Models
import Rendering
import TestSupport
import Testing

/// What the boxes of a HEIF or AVIF file say about its pixels.
@Suite("Meaning of HEIF boxes") struct HEIFMeaningTests {
  /// 16 × 16 pixels as libavif 1.3 writes them, with the item reference `prem` (ISO/IEC 23008-12): the colour
  /// (200, 80, 20), of which the left half is multiplied by an alpha of 128.
  private static let premultiplied = """
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAGUbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA
    AAAAAAAOcGl0bQAAAAAAAQAAACxpbG9jAAAAAEQAAAIAAQAAAAEAAAHaAAAAOwACAAAAAQAAAbwAAAAeAAAAQmlpbmYAAAAAAAIA
    AAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAABppbmZlAgAAAAACAABhdjAxQWxwaGEAAAAAKGlyZWYAAAAAAAAADmF1eGwAAgAB
    AAEAAAAOcHJlbQABAAEAAgAAAMNpcHJwAAAAnWlwY28AAAAUaXNwZQAAAAAAAAAQAAAAEAAAABBwaXhpAAAAAAMICAgAAAAMYXYx
    Q4EgAAAAAAATY29scm5jbHgAAQANAAaAAAAADnBpeGkAAAAAAQgAAAAMYXYxQ4EAHAAAAAA4YXV4QwAAAAB1cm46bXBlZzptcGVn
    QjpjaWNwOnN5c3RlbXM6YXV4aWxpYXJ5OmFscGhhAAAAAB5pcG1hAAAAAAAAAAIAAQQBAoMEAAIEAQWGBwAAAGFtZGF0EgAKBRgM
    /9hUMhMQAAbxXAHpD+wV7EqqB0zNEcBAEgAKCDgM/9hAQ0GkMi0QAAA5ULska+OkTJCDMv7LM5STrixUUi/8j9XSZhoQIgpF+Jaa
    PDBbcVJI01U=
    """

  /// 16 × 16 pixels of luminance alone in the limited range, as libavif 1.3 writes them: the left half black, the
  /// right half 128 above and white below, as Pillow 13 shows them.
  private static let grey = """
    AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOltZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA
    AA5waXRtAAAAAAABAAAAHmlsb2MAAAAARAAAAQABAAAAAQAAAQ0AAAAjAAAAKGlpbmYAAAAAAAEAAAAaaW5mZQIAAAAAAQAAYXYw
    MUNvbG9yAAAAAGhpcHJwAAAASWlwY28AAAAUaXNwZQAAAAAAAAAQAAAAEAAAAA5waXhpAAAAAAEIAAAADGF2MUOBABwAAAAAE2Nv
    bHJuY2x4AAEADQAGAAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAK21kYXQSAAoIGAz/2GAhoMQyFRAAOVMUoaIvaAdJlGo9b+1F
    VdAPgA==
    """

  /// 128 × 128 pixels of the colour (200, 80, 20) and a thumbnail of 64 × 64, as libheif 1.20 writes them.
  private static let withThumbnail = """
    AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAihtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAADRp
    bG9jAAAAAERAAAIAAQAAAAACTAABAAAAAAAAACkAAgAAAAACdQABAAAAAAAAAB4AAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABo
    dmMxAAAAABVpbmZlAgAAAAACAABodmMxAAAAAA5waXRtAAAAAAABAAABZ2lwcnAAAAFCaXBjbwAAAHdodmNDAQNwAAAAkAAAAAAAHvAA
    /P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoBAgIFlupJKa5uAhoMCAAAAM
    gAAAAwCEYgABAAdEAcFysCJAAAAAE2NvbHJuY2x4AAEADQAGgAAAABRpc3BlAAAAAAAAAIAAAACAAAAAEHBpeGkAAAAAAwgICAAAAHho
    dmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQArQgEBA3AAAAMAkAAAAwAAAwAe
    oCCBBZbqSSmubgIaDAgAAAMAyAAAAwAIQGIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAEAAAABAAAAAHWlwbWEAAAAAAAAAAgABBIEC
    AwQAAgOFBgQAAAAaaXJlZgAAAAAAAAAOdGhtYgACAAEAAQAAAE9tZGF0AAAAJSgBrwngITl1X//4aX//91n8h+gAUdBzDy7jTWeH69zM
    XdAAAs4AAAAaKAGvCeAhOXVf//hpf//3WfyH6ABR0HMPX4A=
    """

  private static func bytes(_ text: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
  }

  @Test("colours that are multiplied by alpha are divided by it")
  func premultiplied() async throws {
    let shown = try await Shown(try Self.bytes(Self.premultiplied))
    #expect(shown.info.format == .avif && shown.info.hasAlpha)
    #expect(distance(shown.colour(3, 8), [200, 80, 20, 128]) <= 4, "\(shown.colour(3, 8))")
    #expect(distance(shown.colour(12, 8), [200, 80, 20, 255]) <= 2, "\(shown.colour(12, 8))")
  }

  @Test("luminance of the limited range is black to white")
  func limitedRange() async throws {
    let shown = try await Shown(try Self.bytes(Self.grey))
    #expect(distance(shown.colour(3, 8), [0, 0, 0, 255]) <= 1)
    #expect(distance(shown.colour(12, 3), [128, 128, 128, 255]) <= 2, "\(shown.colour(12, 3))")
    #expect(distance(shown.colour(12, 12), [255, 255, 255, 255]) <= 1)
  }

  @Test(
    "a thumbnail that states another size than it has leaves the image as it is",
    arguments: [(0, 0), (1, 1), (48, 48), (200, 64), (65_535, 65_535), (4_294_967_295, 1)])
  func thumbnail(_ width: Int, _ height: Int) async throws {
    var file = try Self.bytes(Self.withThumbnail)
    let extents = file.indices.filter { file[$0...].starts(with: Array("ispe".utf8)) }
    let place = try #require(extents.count == 2 ? extents.last : nil) + 8
    file.replaceSubrange(
      place..<place + 8, with: TestPicture.number(width) + TestPicture.number(height))
    for side in [32, 256] {
      let shown = try await Shown(file, side: side)
      #expect((shown.info.width, shown.info.height) == (128, 128))
      #expect(shown.damage == nil && shown.remark == nil)
      #expect(distance(shown.colour(16, 16), [200, 80, 20, 255]) <= 4, "\(shown.colour(16, 16))")
    }
  }

  /// Returns `grey` with a property of its image, associated before or behind the other ones.
  private static func grey(
    with property: [UInt8], isFirst: Bool, isEssential: Bool = true
  ) throws -> [UInt8] {
    var file = try bytes(grey)
    func place(_ type: String) throws -> Int {
      try #require(file.indices.first { file[$0...].starts(with: Array(type.utf8)) })
    }
    func enlarge(_ type: String, by count: Int) throws {
      let start = try place(type) - 4
      let size = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + count
      file.replaceSubrange(start..<start + 4, with: TestPicture.number(size))
    }
    // The image has four associations of one byte each, and the position of its data is next to the end of `iloc`.
    let data = try place("iinf") - 4 - 8
    let offset = file[data..<data + 4].reduce(0) { $0 << 8 | Int($1) } + property.count + 1
    file.replaceSubrange(data..<data + 4, with: TestPicture.number(offset))
    for (type, count) in [("meta", 1), ("iprp", 1), ("ipma", 1), ("ipco", 0)] {
      try enlarge(type, by: property.count * (type == "ipma" ? 0 : 1) + count)
    }
    let associations = try place("ipma") + 4 + 4 + 4 + 2
    file[associations] = 5
    file.insert(isEssential ? 0x85 : 5, at: associations + (isFirst ? 1 : 5))
    file.insert(contentsOf: property, at: try place("ipma") - 4)
    return file
  }

  private static func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    TestPicture.number(8 + contents.count) + Array(type.utf8) + contents
  }

  /// The luminance of the four quarters.
  private static func quarters(_ file: [UInt8]) async throws -> [UInt8] {
    let shown = try await Shown(file)
    #expect((shown.info.width, shown.info.height) == (16, 16) && shown.damage == nil)
    return [(3, 3), (12, 3), (3, 12), (12, 12)].map { shown.colour($0.0, $0.1)[0] }
  }

  @Test("a rotation that is stated before the size turns the image all the same")
  func rotationFirst() async throws {
    let rotation = Self.box("irot", [1])
    let last = try await Self.quarters(try Self.grey(with: rotation, isFirst: false))
    let first = try await Self.quarters(try Self.grey(with: rotation, isFirst: true))
    #expect(first == last)
    #expect(try await Self.quarters(try Self.bytes(Self.grey)) != last)
  }

  @Test(
    "a crop that is empty or larger than the image is none",
    arguments: [(0, 1), (100, 1), (8, 0), (4_294_967_295, 1)])
  func impossibleCrop(_ side: Int, _ divisor: Int) async throws {
    let crop = Self.box(
      "clap", [side, divisor, side, divisor, 0, 1, 0, 1].flatMap { TestPicture.number($0) })
    let whole = try await Self.quarters(try Self.bytes(Self.grey))
    #expect(try await Self.quarters(try Self.grey(with: crop, isFirst: false)) == whole)
  }

  @Test(
    "a property that readers must understand, and imgdl does not know, is the reason why there is no image",
    arguments: [
      ("zzzz", []), ("uuid", [UInt8](repeating: 7, count: 20)), ("lsel", [0, 1]), ("a1op", [1]),
      ("pasp", [0, 0, 0, 2, 0, 0, 0, 1]), ("pasp", []),
    ] as [(String, [UInt8])])
  func unknownProperty(_ type: String, _ contents: [UInt8]) async throws {
    for isFirst in [true, false] {
      let file = try Self.grey(with: Self.box(type, contents), isFirst: isFirst)
      let error = await #expect(throws: RenderError.self) { try await Shown(file) }
      #expect(
        error
          == RenderError(
            .unsupported, "the AVIF file needs a feature that imgdl does not know (\(type))"))
    }
  }

  @Test(
    "a property that readers may ignore, or whose value is the usual one, changes nothing",
    arguments: [
      ("zzzz", [], false), ("lsel", [255, 255], true), ("a1op", [0], true),
      ("pasp", [0, 0, 0, 1, 0, 0, 0, 1], true), ("pasp", [0, 0, 0, 2, 0, 0, 0, 2], true),
      ("pasp", [0, 0, 0, 2, 0, 0, 0, 1], false),
    ] as [(String, [UInt8], Bool)])
  func knownProperty(_ type: String, _ contents: [UInt8], _ isEssential: Bool) async throws {
    let file = try Self.grey(
      with: Self.box(type, contents), isFirst: false, isEssential: isEssential)
    #expect(try await Self.quarters(file) == Self.quarters(try Self.bytes(Self.grey)))
  }

  @Test("such a property of the alpha is a remark")
  func unknownPropertyOfAlpha() async throws {
    var file = try Self.bytes(Self.premultiplied)
    func places(_ type: String) -> [Int] {
      file.indices.filter { file[$0...].starts(with: Array(type.utf8)) }
    }
    // The second list of channels, which is the fifth property, is that of the alpha.
    let channels = try #require(places("pixi").dropFirst().first)
    file.replaceSubrange(channels..<channels + 4, with: Array("zzzz".utf8))
    let list = try #require(places("ipma").first)
    #expect(Array(file[list + 22..<list + 26]) == [1, 5, 0x86, 7])
    file[list + 23] |= 0x80
    let shown = try await Shown(file)
    #expect(
      shown.remark
        == "its transparency may be wrong: it needs a feature that imgdl does not know (zzzz)")
    #expect(distance(shown.colour(12, 8), [200, 80, 20, 255]) <= 2)
  }

  @Test("a file that begins as an animation is opened by the loader of its format")
  func animation() async throws {
    var file = try Self.bytes(Self.grey)
    file.replaceSubrange(8..<12, with: Array("avis".utf8))
    let shown = try await Shown(file)
    #expect(shown.info.format == .avif)
    #expect(distance(shown.colour(12, 12), [255, 255, 255, 255]) <= 1)
  }

  @Test("boxes that contradict themselves are damage at most, wherever a byte is changed")
  func changed() async throws {
    let file = try Self.bytes(Self.premultiplied)
    for index in stride(from: 32, to: 440, by: 17) {
      var changed = file
      changed[index] ^= 0xff
      do {
        _ = try await Shown(changed)
      } catch let error as RenderError {
        #expect(error.code != .worker, "\(index): \(error.detail)")
      }
    }
  }
}
