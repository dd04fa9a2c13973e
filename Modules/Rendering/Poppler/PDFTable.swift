import Decoding

/// The cross-reference table of a PDF with its updates (ISO 32000-1, 7.5.4). Only objects of the first generation are
/// read, because updates are written with it.
struct PDFTable {
  let syntax: PDFSyntax
  /// The offset of the header, from which all offsets count.
  private let start: Int
  /// The offset of the newest section.
  private let place: Int
  /// The dictionary of the newest trailer.
  private let trailer: PDFSyntax.Dictionary
  /// The offsets of objects, from the header; 0 for an object that was deleted.
  private let offsets: [Int: Int]

  private static let maximumSections = 64
  private static let maximumObjects = 1_000_000

  /// - Returns: nil if a part of the table is missing, or is a stream.
  init?(_ file: ByteView) {
    let syntax = PDFSyntax(file)
    let head = file.slice(0, 1_024)
    var start = 0
    while !head.starts(with: "%PDF-", at: start) {
      guard let next = head.firstIndex(of: UInt8(ascii: "%"), from: start + 1) else { return nil }
      start = next
    }
    guard let newest = Self.newestSection(syntax) else { return nil }
    var offsets: [Int: Int] = [:]
    var (trailer, next, sections) = (PDFSyntax.Dictionary?.none, Optional(newest), Set<Int>())
    while let place = next {
      let first = syntax.endOfSpace(from: start + place)
      guard sections.count < Self.maximumSections, sections.insert(first).inserted,
        let section = Self.section(at: first, syntax, &offsets), section["XRefStm"] == nil
      else { return nil }
      trailer = trailer ?? section
      next = section["Prev"].flatMap { syntax.integer(at: $0.lowerBound)?.value }
    }
    guard let trailer else { return nil }
    (self.syntax, self.start, place) = (syntax, start, newest)
    (self.trailer, self.offsets) = (trailer, offsets)
  }

  /// Returns the offset of the newest section, which the end of the file states.
  private static func newestSection(_ syntax: PDFSyntax) -> Int? {
    let file = syntax.file
    var offset = file.count - 9
    while offset >= 0, offset > file.count - 2_048 {
      if file.starts(with: "startxref", at: offset) {
        return syntax.integer(at: offset + 9)?.value
      }
      offset -= 1
    }
    return nil
  }

  /// Reads a section of the table, whose entries count less than those of newer ones, and returns its trailer.
  private static func section(
    at place: Int, _ syntax: PDFSyntax, _ offsets: inout [Int: Int]
  ) -> PDFSyntax.Dictionary? {
    var offset = syntax.endOfSpace(from: place)
    guard syntax.file.starts(with: "xref", at: offset) else { return nil }
    offset += 4
    while let first = syntax.integer(at: offset), let count = syntax.integer(at: first.end) {
      offset = syntax.endOfSpace(from: count.end)
      guard offsets.count + count.value <= maximumObjects else { return nil }
      for index in 0..<count.value {
        // Entries have 20 bytes, but some programs end them with one byte instead of two.
        guard let position = syntax.integer(at: offset),
          let generation = syntax.integer(at: position.end)
        else { return nil }
        let kind = syntax.endOfSpace(from: generation.end)
        let isUsed = syntax.file.byte(kind) == UInt8(ascii: "n")
        let number = first.value + index
        if offsets[number] == nil { offsets[number] = isUsed ? position.value : 0 }
        offset = kind + 1
      }
    }
    offset = syntax.endOfSpace(from: offset)
    guard syntax.file.starts(with: "trailer", at: offset) else { return nil }
    return syntax.dictionary(at: offset + 7)
  }

  /// The dictionary to which all others belong, with its number.
  var catalogue: (number: Int, dictionary: PDFSyntax.Dictionary)? {
    guard let root = trailer["Root"].flatMap({ syntax.reference(at: $0.lowerBound) }),
      root.generation == 0, let dictionary = dictionary(root.number)
    else { return nil }
    return (root.number, dictionary)
  }

  func has(_ number: Int) -> Bool { offsets[number, default: 0] != 0 }

  /// Returns an object that is a dictionary.
  func dictionary(_ number: Int) -> PDFSyntax.Dictionary? {
    value(number).flatMap { syntax.dictionary(at: $0) }
  }

  /// Returns a value that is a dictionary, or a reference to one.
  func dictionary(at place: Range<Int>?) -> PDFSyntax.Dictionary? {
    resolved(place).flatMap { syntax.dictionary(at: $0) }
  }

  /// Returns the places of the elements of an array, which may be an object of its own; nil for anything else.
  func elements(_ place: Range<Int>?) -> [Range<Int>]? {
    resolved(place).flatMap { syntax.elements(ofArrayAt: $0) }
  }

  /// Returns the offset of a value, or of the object to which it refers.
  private func resolved(_ place: Range<Int>?) -> Int? {
    guard let place else { return nil }
    guard let reference = syntax.reference(at: place.lowerBound) else { return place.lowerBound }
    return reference.generation == 0 ? value(reference.number) : nil
  }

  private func value(_ number: Int) -> Int? {
    guard let offset = offsets[number], offset != 0 else { return nil }
    return syntax.value(ofObject: number, at: start + offset)
  }

  /// Returns the numbers of the objects of an array of references; nil for anything else.
  func references(_ place: Range<Int>?) -> [Int]? {
    guard let elements = elements(place) else { return nil }
    let numbers = elements.compactMap { element in
      syntax.reference(at: element.lowerBound).flatMap { $0.generation == 0 ? $0.number : nil }
    }
    return numbers.count == elements.count ? numbers : nil
  }

  /// Returns the file with a dictionary in the place of an object, as an incremental update adds it (7.5.6).
  func file(with dictionary: [UInt8], asObject number: Int) -> [UInt8] {
    var bytes = syntax.file.array
    bytes.append(10)
    let offset = bytes.count - start
    bytes += Array("\(number) 0 obj\n".utf8) + dictionary
    let section = bytes.count - start + 8
    let digits = String(repeating: "0", count: max(0, 10 - "\(offset)".count)) + "\(offset)"
    bytes += Array(
      "\nendobj\nxref\n0 1\n0000000000 65535 f \n\(number) 1\n\(digits) 00000 n \ntrailer\n".utf8)
    bytes += syntax.text(trailer, without: ["Prev", "XRefStm"], and: Array("/Prev \(place)".utf8))
    bytes += Array("\nstartxref\n\(section)\n%%EOF\n".utf8)
    return bytes
  }
}
