public import Models
import Rendering

/// The EXIF tags of an image as the Python library ExifRead 3.0.1 returns them, which img2dataset uses.
/// Names, texts and errors are those of ExifRead even where they differ from EXIF 2.3.
public enum EXIFTags {
  /// Returns the tags of a file as a JSON object of texts in the form of Python's `json.dumps`.
  ///
  /// The result equals that of `process_file(file, details=False)`, with the whitespace at both ends of the
  /// texts removed. Thumbnails, maker notes, XMP and user comments are therefore omitted.
  /// - Parameter file: The whole file, because offsets may point outside of the segment of the tags.
  /// - Returns: `{}` for a file without EXIF and for a format that ExifRead does not read, such as PNG; nil
  ///   for a block for which ExifRead raises an exception and for one that exceeds the limit of work.
  public static func json(_ file: ByteView, format: ResourceFormat) -> String? {
    do throws(RenderError) {
      guard let block = try EXIFBlock(in: file, format) else { return "{}" }
      var walk = EXIFDirectoryWalk(block)
      try walk.run()
      return walk.tags.json
    } catch {
      return nil
    }
  }
}

/// A walk through the directories of an EXIF block in the order of ExifRead: those in the list of the header,
/// with the directories that their tags point to, then the EXIF directory.
struct EXIFDirectoryWalk {
  private(set) var tags = EXIFTagObject()
  private let block: EXIFBlock
  private var exifOffset: EXIFValues?

  /// The number of directories, entries, values and bytes of text that may still be read. Directories may
  /// overlap and tags may share values, so that the size of the file does not limit the work.
  private var remainingWork = 1 << 23

  private struct Directory {
    let offset: Int
    /// The first word of the names of its tags.
    let name: String
    let tagNames: [Int: String]
  }

  init(_ block: EXIFBlock) { self.block = block }

  /// Reads the tags of all directories.
  mutating func run() throws(RenderError) {
    for (index, offset) in try listedDirectories().enumerated() {
      let name = index == 0 ? "Image" : index == 1 ? "Thumbnail" : "IFD \(index)"
      try read(Directory(offset: offset, name: name, tagNames: EXIFTagNames.image))
    }
    guard let exifOffset else { return }
    guard !exifOffset.isEmpty else { throw EXIFBlock.malformed }
    if let offset = try exifOffset.directoryOffset() {
      try read(Directory(offset: offset, name: "EXIF", tagNames: EXIFTagNames.image))
    }
  }

  /// Returns the offsets of the directories in the list of the header. The list ends at an offset of 0 and at
  /// one that repeats.
  private mutating func listedDirectories() throws(RenderError) -> [Int] {
    var offsets: [Int] = []
    var known: Set<Int> = []
    var offset = try block.number(at: 4, size: 4)
    while offset != 0, known.insert(offset).inserted {
      try spend(1)
      offsets.append(offset)
      let entries = try block.number(at: offset, size: 2)
      offset = try block.number(at: offset + 2 + entries * 12, size: 4)
    }
    return offsets
  }

  private mutating func read(_ directory: Directory) throws(RenderError) {
    let count = try block.number(at: directory.offset, size: 2)
    for index in 0..<count {
      let entry = directory.offset + 2 + index * 12
      // Entries beyond the file have the type 0, which is unknown, and would be skipped one by one.
      guard block.contains(entry) else { return }
      try spend(1)
      let tag = try block.number(at: entry, size: 2)
      if !EXIFTagNames.ignored.contains(tag) { try readEntry(at: entry, tag, in: directory) }
    }
  }

  private mutating func readEntry(
    at entry: Int, _ tag: Int, in directory: Directory
  ) throws(RenderError) {
    guard let type = EXIFType(rawValue: try block.number(at: entry + 2, size: 2)) else { return }
    let count = try block.number(at: entry + 4, size: 4)
    let isInline = count * type.size <= 4
    let offset = isInline ? entry + 8 : try block.number(at: entry + 8, size: 4)
    let values =
      type == .ascii
      ? try text(at: offset, count: count) : try numbers(type, at: offset, count: count)

    let known = directory.tagNames[tag]
    let labels = known.flatMap { EXIFTagLabels.labels[$0] }
    let text: String
    if let labels {
      text = values.labelled(labels)
    } else if known != nil, EXIFTagNames.characters.contains(tag) {
      text = values.characters
    } else {
      text = values.description(count: count)
    }
    try spend(text.utf8.count)

    if known != nil, let target = EXIFTagNames.directories[tag],
      let offset = try values.directoryOffset()
    {
      try read(Directory(offset: offset, name: target.name, tagNames: target.tags))
    }
    if directory.name == "Image", tag == EXIFTagNames.exifOffset { exifOffset = values }
    tags.set(directory.name + " " + (known ?? Self.name(ofUnknown: tag)), to: text)
  }

  private static func name(ofUnknown tag: Int) -> String {
    let digits = String(tag, radix: 16, uppercase: true)
    return "Tag 0x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  /// Returns the text up to the first zero byte. A text that extends beyond the file ends with it.
  private mutating func text(at offset: Int, count: Int) throws(RenderError) -> EXIFValues {
    let field = block.slice(offset, count)
    let bytes = field.slice(0, field.firstIndex(of: 0, from: 0) ?? field.count)
    try spend(bytes.count)
    let array = bytes.array
    return String(validating: array, as: UTF8.self).map { .text($0) } ?? .bytes(array)
  }

  /// Returns the numbers of a field, or none if there are 1,000 or more, which ExifRead does not read.
  private mutating func numbers(
    _ type: EXIFType, at offset: Int, count: Int
  ) throws(RenderError) -> EXIFValues {
    guard count < 1_000 else { return .numbers([]) }
    try spend(count)
    var numbers: [EXIFNumber] = []
    numbers.reserveCapacity(count)
    for index in 0..<count {
      numbers.append(try number(type, at: offset + index * type.size))
    }
    return .numbers(numbers)
  }

  private func number(_ type: EXIFType, at offset: Int) throws(RenderError) -> EXIFNumber {
    switch type {
    case .ratio, .signedRatio:
      let numerator = try block.number(at: offset, size: 4, isSigned: type.isSigned)
      let denominator = try block.number(at: offset + 4, size: 4, isSigned: type.isSigned)
      return .ratio(EXIFRatio(numerator, denominator))
    case .float:
      let bits = UInt32(truncatingIfNeeded: try block.part(at: offset))
      return .real(Double(Float(bitPattern: bits)))
    case .double:
      let first = UInt64(try block.part(at: offset))
      let second = UInt64(try block.part(at: offset + 4))
      let (high, low) = block.isBigEndian ? (first, second) : (second, first)
      return .real(Double(bitPattern: high << 32 | low))
    default:
      return .integer(try block.number(at: offset, size: type.size, isSigned: type.isSigned))
    }
  }

  private mutating func spend(_ amount: Int) throws(RenderError) {
    guard amount <= remainingWork else {
      throw RenderError(.limit, "the EXIF block has too many values")
    }
    remainingWork -= amount
  }
}
