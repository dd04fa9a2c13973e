import Decoding

/// Reads objects of a PDF from its text (ISO 32000-1, 7.2 and 7.3). Accepts any input.
struct PDFSyntax {
  let file: ByteView

  init(_ file: ByteView) { self.file = file }

  /// Returns the offset behind white space and comments.
  func endOfSpace(from start: Int) -> Int {
    var offset = start
    while let byte = file.byte(offset) {
      if byte == UInt8(ascii: "%") {
        while let byte = file.byte(offset), byte != 10, byte != 13 { offset += 1 }
      } else if Self.isSpace(byte) {
        offset += 1
      } else {
        break
      }
    }
    return offset
  }

  /// Returns a non-negative integer and the offset behind it; nil if there is none.
  func integer(at start: Int) -> (value: Int, end: Int)? {
    var (offset, value) = (endOfSpace(from: start), 0)
    let first = offset
    while let byte = file.byte(offset), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte),
      offset - first < Self.maximumDigits
    {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      offset += 1
    }
    return offset > first ? (value, offset) : nil
  }

  private static let maximumDigits = 10

  /// Returns the number and the generation of the object to which a reference leads, and the offset behind it.
  func reference(at start: Int) -> (number: Int, generation: Int, end: Int)? {
    guard let number = integer(at: start), let generation = integer(at: number.end) else {
      return nil
    }
    let offset = endOfSpace(from: generation.end)
    guard file.byte(offset) == UInt8(ascii: "R") else { return nil }
    return (number.value, generation.value, offset + 1)
  }

  /// Returns the offset of the value of an object of the first generation; nil if it does not begin at the offset.
  func value(ofObject number: Int, at start: Int) -> Int? {
    guard let first = integer(at: start), first.value == number,
      let generation = integer(at: first.end), generation.value == 0
    else { return nil }
    let offset = endOfSpace(from: generation.end)
    return file.starts(with: "obj", at: offset) ? endOfSpace(from: offset + 3) : nil
  }

  /// The entries of a dictionary, with the places of their values.
  struct Dictionary {
    fileprivate(set) var entries: [(name: String, value: Range<Int>)] = []
    /// The offset behind the dictionary.
    fileprivate(set) var end = 0

    /// Returns the place of a value; nil without the entry.
    subscript(name: String) -> Range<Int>? { entries.first { $0.name == name }?.value }
  }

  private static let maximumEntries = 256

  /// Returns the dictionary at an offset; nil if there is none, or it does not end.
  func dictionary(at start: Int) -> Dictionary? {
    var offset = endOfSpace(from: start)
    guard file.starts(with: "<<", at: offset) else { return nil }
    offset += 2
    var dictionary = Dictionary()
    while dictionary.entries.count < Self.maximumEntries {
      offset = endOfSpace(from: offset)
      if file.starts(with: ">>", at: offset) {
        dictionary.end = offset + 2
        return dictionary
      }
      guard file.byte(offset) == UInt8(ascii: "/"), let endOfName = endOfToken(from: offset) else {
        return nil
      }
      let name = String(
        decoding: file.slice(offset + 1, endOfName - offset - 1).array, as: UTF8.self)
      let first = endOfSpace(from: endOfName)
      guard var end = endOfToken(from: first) else { return nil }
      // A value is all up to the next name: a reference consists of three words.
      while true {
        let next = endOfSpace(from: end)
        guard file.byte(next) != UInt8(ascii: "/"), !file.starts(with: ">>", at: next) else {
          break
        }
        guard let last = endOfToken(from: next) else { return nil }
        end = last
      }
      dictionary.entries.append((name, first..<end))
      offset = end
    }
    return nil
  }

  /// Whether a value is a name, or an array of this name only.
  func isName(_ name: String, _ value: Range<Int>?) -> Bool {
    guard let value else { return false }
    let bytes = file.slice(value.lowerBound, value.count).array.filter { !Self.isSpace($0) }
    let name = Array("/\(name)".utf8)
    return bytes == name || bytes == Array("[".utf8) + name + Array("]".utf8)
  }

  /// Returns a dictionary as text, without some of its entries and with more.
  func text(_ dictionary: Dictionary, without names: Set<String>, and more: [UInt8]) -> [UInt8] {
    var bytes = Array("<<".utf8)
    for entry in dictionary.entries where !names.contains(entry.name) {
      bytes += Array("/\(entry.name) ".utf8)
      bytes += file.slice(entry.value.lowerBound, entry.value.count).array
    }
    return bytes + more + Array(">>".utf8)
  }

  /// Returns the places of the elements of an array; nil if there is none, or it does not end.
  func elements(ofArrayAt start: Int) -> [Range<Int>]? {
    var offset = endOfSpace(from: start)
    guard file.byte(offset) == UInt8(ascii: "[") else { return nil }
    offset = endOfSpace(from: offset + 1)
    var elements: [Range<Int>] = []
    while file.byte(offset) != UInt8(ascii: "]") {
      guard let end = reference(at: offset)?.end ?? endOfToken(from: offset) else { return nil }
      elements.append(offset..<end)
      offset = endOfSpace(from: end)
    }
    return elements
  }

  /// Returns the offset behind a name, a word, a string, an array or a dictionary; nil if it does not end.
  private func endOfToken(from start: Int) -> Int? {
    var (offset, depth) = (start, 0)
    while let byte = file.byte(offset) {
      switch byte {
      case UInt8(ascii: "("):
        guard let end = endOfString(from: offset) else { return nil }
        offset = end
      case UInt8(ascii: "["):
        depth += 1
        offset += 1
      case UInt8(ascii: "]"):
        depth -= 1
        offset += 1
      case UInt8(ascii: "<"):
        if file.starts(with: "<<", at: offset) {
          depth += 1
          offset += 2
        } else {
          guard let end = file.firstIndex(of: UInt8(ascii: ">"), from: offset) else { return nil }
          offset = end + 1
        }
      case UInt8(ascii: ">"):
        guard file.starts(with: ">>", at: offset) else { return nil }
        depth -= 1
        offset += 2
      default:
        offset += 1
        while let byte = file.byte(offset), !Self.isSpace(byte), !Self.isDelimiter(byte) {
          offset += 1
        }
      }
      if depth <= 0 { return depth == 0 ? offset : nil }
      offset = endOfSpace(from: offset)
    }
    return nil
  }

  private func endOfString(from start: Int) -> Int? {
    var (offset, depth) = (start, 0)
    while let byte = file.byte(offset) {
      offset += 1
      switch byte {
      case UInt8(ascii: "\\"): offset += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return offset }
      default: break
      }
    }
    return nil
  }

  static func isSpace(_ byte: UInt8) -> Bool { [0, 9, 10, 12, 13, 32].contains(byte) }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "/"), UInt8(ascii: "%"):
      true
    default: false
    }
  }
}
