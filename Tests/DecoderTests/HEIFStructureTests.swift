import Decoding
import TestSupport
import Testing

/// Properties that a reader of HEIF must understand (ISO/IEC 14496-12, 8.11.14), in files without any picture.
@Suite("Properties of a HEIF file that readers must understand") struct HEIFStructureTests {
  private static func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    number(8 + contents.count, 4) + Array(type.utf8) + contents
  }

  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A file whose primary image has the number 1, with the properties `ispe` (1), `zzzz` (2) and `hvcC` (3).
  /// - Parameters:
  ///   - references: The type of each, the image from which it leads, and those to which it leads.
  ///   - properties: The properties of each image, which are essential if they are negative.
  ///   - isWide: Whether the numbers of images and properties have the larger one of two sizes.
  private static func structure(
    _ references: [(String, Int, [Int])] = [], _ properties: [(image: Int, properties: [Int])],
    isWide: Bool = false
  ) -> HEIFStructure {
    let (size, version): (Int, UInt8) = isWide ? (4, 1) : (2, 0)
    let flags: [UInt8] = [version, 0, 0, 0]
    let lists = properties.map { list in
      number(list.image, size) + [UInt8(list.properties.count)]
        + list.properties.flatMap {
          number($0 < 0 ? -$0 | (isWide ? 0x8000 : 0x80) : $0, isWide ? 2 : 1)
        }
    }
    let all = box("ispe", [UInt8](repeating: 0, count: 12)) + box("zzzz", []) + box("hvcC", [1])
    let contents = [
      box("pitm", flags + number(1, size)),
      box(
        "iref",
        flags
          + references.flatMap { type, image, targets in
            box(
              type,
              number(image, size) + number(targets.count, 2)
                + targets.flatMap { number($0, size) })
          }),
      box(
        "iprp",
        box("ipco", all)
          + box("ipma", [version, 0, 0, isWide ? 1 : 0] + number(lists.count, 4) + lists.joined())),
    ]
    let file = box("ftyp", Array("heic".utf8)) + box("meta", [0, 0, 0, 0] + contents.joined())
    return file.withUnsafeBytes { HEIFStructure(ByteView($0)) }
  }

  @Test("count if they are unknown, with numbers of each size", arguments: [false, true])
  func own(isWide: Bool) {
    #expect(Self.structure([], [(1, [1, -2, -3])], isWide: isWide).unknownProperty == "zzzz")
    #expect(Self.structure([], [(1, [-1, 2, -3])], isWide: isWide).unknownProperty == nil)
    // The image has no fourth property, and the number 0 stands for none.
    #expect(Self.structure([], [(1, [-4, -1])], isWide: isWide).unknownProperty == nil)
    #expect(Self.structure([], [(2, [-2]), (1, [1])], isWide: isWide).unknownProperty == nil)
  }

  @Test("count if images have them from which the image is derived, over all steps")
  func derived() {
    let grid = [("dimg", 1, [2, 3])]
    #expect(Self.structure(grid, [(1, [1]), (2, [1]), (3, [-2])]).unknownProperty == "zzzz")
    let chain = [("dimg", 3, [4]), ("dimg", 1, [2]), ("dimg", 2, [3])]
    #expect(Self.structure(chain, [(4, [-2])]).unknownProperty == "zzzz")
    #expect(
      Self.structure([("dimg", 2, [1]), ("dimg", 1, [2])], [(3, [-2])]).unknownProperty == nil)
  }

  @Test("count for a thumbnail by themselves, and not for an image that is not the alpha")
  func others() {
    let file = Self.structure(
      [("thmb", 2, [1]), ("auxl", 3, [1])], [(1, [1]), (2, [-2]), (3, [-2])])
    #expect(file.hasUnknownThumbnail && file.unknownProperty == nil)
    #expect(file.unknownAlphaProperty == nil)
    #expect(!Self.structure([("thmb", 2, [1])], [(2, [-1])]).hasUnknownThumbnail)
  }
}
