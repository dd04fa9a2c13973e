/// The natural order of the pages of an archive.
public enum EntryOrder {
  /// Sorts by label: folder by folder, the files of a folder before its subfolders, numbers by their
  /// value (`2` before `10`, in the digits of every script), upper case like lower case, `cover` before `cover 2`. Equal labels
  /// keep their order.
  /// - Complexity: O(n log n) comparisons; each label is parsed once.
  public static func natural<Element>(
    _ elements: some Collection<Element>, by label: (Element) -> String
  ) -> [Element] {
    elements.enumerated()
      .map { (key: NaturalKey(label($0.element)), offset: $0.offset, element: $0.element) }
      .sorted { a, b in
        switch a.key.compared(to: b.key) {
        case ..<0: true
        case 1...: false
        default: a.offset < b.offset
        }
      }
      .map(\.element)
  }

  public static func natural(_ names: some Collection<String>) -> [String] {
    natural(names) { $0 }
  }
}

/// A name parsed for comparison. Comparisons return -1, 0 or 1.
private struct NaturalKey {
  let folders: [[UnicodeScalar]]
  /// The last component. The dot of its extension is replaced by a zero, which sorts before every character.
  let file: [UnicodeScalar]
  let name: String

  init(_ name: String) {
    var parts = name.lowercased().unicodeScalars.split(separator: "/").map(Array.init)
    var file = parts.popLast() ?? []
    if let dot = file.lastIndex(of: "."), dot > 0 { file[dot] = "\0" }
    self.folders = parts
    self.file = file
    self.name = name
  }

  func compared(to other: NaturalKey) -> Int {
    for (a, b) in zip(folders, other.folders) {
      let result = Self.compare(a, b)
      if result != 0 { return result }
    }
    if folders.count != other.folders.count { return folders.count < other.folders.count ? -1 : 1 }
    let result = Self.compare(file, other.file)
    return result != 0 ? result : Self.sign(name, other.name)
  }

  private static func compare(_ a: [UnicodeScalar], _ b: [UnicodeScalar]) -> Int {
    var i = 0
    var j = 0
    // `01` and `1` have the same value: the number of zeros decides only if the rest is equal.
    var zeros = 0
    while i < a.count, j < b.count {
      if digit(a[i]) != nil, digit(b[j]) != nil {
        let left = number(in: a, at: &i)
        let right = number(in: b, at: &j)
        let result = compareNumbers(left.digits, right.digits)
        if result != 0 { return result }
        if zeros == 0 { zeros = sign(left.zeros, right.zeros) }
      } else if a[i] != b[j] {
        return sign(place(of: a[i]), place(of: b[j]))
      } else {
        i += 1
        j += 1
      }
    }
    let rest = sign(a.count - i, b.count - j)
    return rest != 0 ? rest : zeros
  }

  private static func number(
    in text: [UnicodeScalar], at index: inout Int
  ) -> (zeros: Int, digits: ArraySlice<UInt8>) {
    var digits: [UInt8] = []
    while index < text.count, let digit = digit(text[index]) {
      digits.append(digit)
      index += 1
    }
    let significant = digits.drop { $0 == 0 }
    return (digits.count - significant.count, significant)
  }

  /// Compares digit strings of any length.
  private static func compareNumbers(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Int {
    if a.count != b.count { return sign(a.count, b.count) }
    for (x, y) in zip(a, b) where x != y { return sign(x, y) }
    return 0
  }

  /// The value of a decimal digit of any script (Unicode, general category Nd); nil for other characters.
  private static func digit(_ scalar: UnicodeScalar) -> UInt8? {
    if scalar.isASCII { return ("0"..."9").contains(scalar) ? UInt8(scalar.value - 0x30) : nil }
    let properties = scalar.properties
    guard properties.generalCategory == .decimalNumber, let value = properties.numericValue else {
      return nil
    }
    return UInt8(exactly: value)
  }

  /// The place of a character in the order. All digits of a value have the place of the one in ASCII, because an order
  /// by code beside one by value would not be transitive.
  private static func place(of scalar: UnicodeScalar) -> UInt32 {
    digit(scalar).map { 0x30 + UInt32($0) } ?? scalar.value
  }

  private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
}
