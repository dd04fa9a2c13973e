import Decoding

/// The tree of pages of a PDF (ISO 32000-1, 7.7.3), read from its text: poppler believes the number of pages that the root
/// states, and hides what is beyond it.
///
/// Only files with a plain cross-reference table are read (7.5.4). In others, the tree is usually compressed.
struct PDFPageTree {
  /// The number of pages that the root states; nil if it states none.
  let stated: Int?
  /// The number of pages in the tree.
  let leaves: Int

  private let syntax: PDFSyntax
  /// The offset of the header, from which all offsets count.
  private let start: Int
  private let tableOffset: Int
  private let trailer: PDFSyntax.Dictionary
  private let root: (number: Int, dictionary: PDFSyntax.Dictionary)

  private static let maximumNodes = 200_000
  private static let maximumDepth = 64

  /// - Returns: nil if the tree cannot be read.
  init?(_ file: ByteView) {
    let syntax = PDFSyntax(file)
    let head = file.slice(0, 1_024)
    var start = 0
    while !head.starts(with: "%PDF-", at: start) {
      guard let next = head.firstIndex(of: UInt8(ascii: "%"), from: start + 1) else { return nil }
      start = next
    }
    guard let place = Self.tableOffset(syntax),
      let table = PDFTable(syntax, start: start, at: place), let trailer = table.trailer,
      let catalogue = trailer["Root"].flatMap({ syntax.reference(at: $0.lowerBound) }),
      let pages = table.dictionary(catalogue.number)?["Pages"],
      let root = syntax.reference(at: pages.lowerBound),
      let dictionary = table.dictionary(root.number)
    else { return nil }
    (self.syntax, self.start, tableOffset) = (syntax, start, place)
    self.trailer = trailer
    self.root = (root.number, dictionary)
    stated = dictionary["Count"].flatMap { syntax.integer(at: $0.lowerBound)?.value }
    guard let leaves = Self.leaves(table, root.number, dictionary) else { return nil }
    self.leaves = leaves
  }

  /// Returns the file with the number of pages that are there, as an incremental update adds it (7.5.6).
  func corrected() -> [UInt8] {
    var bytes = syntax.file.array
    bytes.append(10)
    let place = bytes.count - start
    func append(_ dictionary: PDFSyntax.Dictionary, without names: Set<String>, _ more: String) {
      bytes += Array("<<".utf8)
      for entry in dictionary.entries where !names.contains(entry.name) {
        bytes += Array("/\(entry.name) ".utf8)
        bytes += syntax.file.slice(entry.value.lowerBound, entry.value.count).array
      }
      bytes += Array("\(more)>>\n".utf8)
    }
    bytes += Array("\(root.number) 0 obj\n".utf8)
    append(root.dictionary, without: ["Count"], "/Count \(leaves)")
    let table = bytes.count - start + 7
    let digits = String(repeating: "0", count: max(0, 10 - "\(place)".count)) + "\(place)"
    bytes += Array(
      "endobj\nxref\n0 1\n0000000000 65535 f \n\(root.number) 1\n\(digits) 00000 n \ntrailer\n".utf8
    )
    append(trailer, without: ["Prev", "XRefStm"], "/Prev \(tableOffset)")
    bytes += Array("startxref\n\(table)\n%%EOF\n".utf8)
    return bytes
  }

  /// Returns the offset of the newest table, which the end of the file states.
  private static func tableOffset(_ syntax: PDFSyntax) -> Int? {
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

  /// Counts the leaves as poppler finds them: what is missing, no dictionary, or a node above it is skipped.
  private static func leaves(
    _ table: PDFTable, _ root: Int, _ dictionary: PDFSyntax.Dictionary
  ) -> Int? {
    guard let kids = table.references(dictionary["Kids"]) else { return nil }
    var path: [(node: Int, kids: [Int], next: Int)] = [(root, kids, 0)]
    var (count, visited) = (0, 0)
    while let last = path.last {
      guard last.next < last.kids.count else {
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      visited += 1
      let kid = last.kids[last.next]
      guard visited <= maximumNodes else { return nil }
      guard !path.contains(where: { $0.node == kid }), table.has(kid) else { continue }
      guard let node = table.dictionary(kid) else { return nil }
      guard let kids = node["Kids"] else {
        count += 1
        continue
      }
      guard path.count < maximumDepth, let further = table.references(kids) else { return nil }
      path.append((kid, further, 0))
    }
    return count
  }
}

/// The cross-reference table of a PDF with its updates (ISO 32000-1, 7.5.4).
struct PDFTable {
  private let syntax: PDFSyntax
  private let start: Int
  /// The dictionary of the newest trailer.
  private(set) var trailer: PDFSyntax.Dictionary?
  /// The offsets of objects, from the header; 0 for an object that was deleted.
  private var offsets: [Int: Int] = [:]

  private static let maximumSections = 64
  private static let maximumObjects = 1_000_000

  /// - Returns: nil if a part of the table is missing, or is a stream.
  init?(_ syntax: PDFSyntax, start: Int, at place: Int) {
    (self.syntax, self.start) = (syntax, start)
    var (next, sections) = (Optional(place), 0)
    while let place = next {
      sections += 1
      guard sections <= Self.maximumSections, let section = readSection(at: place),
        section["XRefStm"] == nil
      else { return nil }
      trailer = trailer ?? section
      next = section["Prev"].flatMap { syntax.integer(at: $0.lowerBound)?.value }
    }
  }

  /// Reads a section of the table, whose entries count less than those of newer ones, and returns its trailer.
  private mutating func readSection(at place: Int) -> PDFSyntax.Dictionary? {
    var offset = syntax.endOfSpace(from: start + place)
    guard syntax.file.starts(with: "xref", at: offset) else { return nil }
    offset += 4
    while let first = syntax.integer(at: offset), let count = syntax.integer(at: first.end) {
      offset = syntax.endOfSpace(from: count.end)
      guard offsets.count + count.value <= Self.maximumObjects else { return nil }
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

  func has(_ number: Int) -> Bool { offsets[number, default: 0] != 0 }

  /// Returns an object that is a dictionary.
  func dictionary(_ number: Int) -> PDFSyntax.Dictionary? {
    value(number).flatMap { syntax.dictionary(at: $0) }
  }

  private func value(_ number: Int) -> Int? {
    guard let offset = offsets[number], offset != 0 else { return nil }
    return syntax.value(ofObject: number, at: start + offset)
  }

  /// Returns the references of an array, which may be an object of its own; nil for anything else.
  func references(_ place: Range<Int>?) -> [Int]? {
    guard var offset = place?.lowerBound else { return nil }
    if let reference = syntax.reference(at: offset) {
      guard let value = value(reference.number) else { return nil }
      offset = value
    }
    guard syntax.file.byte(offset) == UInt8(ascii: "[") else { return nil }
    offset += 1
    var numbers: [Int] = []
    while let reference = syntax.reference(at: offset) {
      numbers.append(reference.number)
      offset = reference.end
    }
    return syntax.file.byte(syntax.endOfSpace(from: offset)) == UInt8(ascii: "]") ? numbers : nil
  }
}
