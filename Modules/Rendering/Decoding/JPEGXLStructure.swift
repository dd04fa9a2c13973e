/// The metadata of a JPEG XL code stream that libvips does not report (ISO/IEC 18181-1, annex D).
public struct JPEGXLStructure {
  /// Whether the colours are multiplied by alpha.
  public private(set) var isPremultiplied = false

  /// Parses a file, which may be malformed.
  public init(_ file: ByteView) {
    guard let stream = Self.codeStream(file) else { return }
    var bits = Bits(stream)
    isPremultiplied = bits.findsAssociatedAlpha() ?? false
  }

  /// Returns the file itself, or the contents of its first box with a part of the code stream.
  private static func codeStream(_ file: ByteView) -> ByteView? {
    if file.number(at: 0, size: 2) == 0xff0a { return file.slice(from: 2) }
    for box in ISOBoxes(file) {
      let isPart = box.has(type: "jxlp")
      guard isPart || box.has(type: "jxlc") else { continue }
      // A partial box begins with its number.
      let stream = box.contents.slice(from: isPart ? 4 : 0)
      return stream.number(at: 0, size: 2) == 0xff0a ? stream.slice(from: 2) : nil
    }
    return nil
  }

  /// The bits of the code stream, the lowest bit of each byte first. Each read returns nil at the end.
  private struct Bits {
    private let bytes: ByteView
    private var position = 0

    init(_ bytes: ByteView) { self.bytes = bytes }

    private mutating func number(_ count: Int) -> Int? {
      var value = 0
      for index in 0..<count {
        guard let byte = bytes.byte(position >> 3) else { return nil }
        value |= Int(byte >> UInt8(position & 7) & 1) << index
        position += 1
      }
      return value
    }

    private mutating func flag() -> Bool? { number(1).map { $0 == 1 } }

    /// Reads a number whose first two bits choose a base and the number of further bits (D.1).
    private mutating func chosen(_ choices: (base: Int, bits: Int)...) -> Int? {
      guard let choice = number(2), let rest = number(choices[choice].bits) else { return nil }
      return choices[choice].base + rest
    }

    private mutating func skipSize() -> Void? {
      guard let isSmall = flag() else { return nil }
      func side(_ bits: inout Bits) -> Int? {
        isSmall ? bits.number(5) : bits.chosen((1, 9), (1, 13), (1, 18), (1, 30))
      }
      guard side(&self) != nil, let ratio = number(3) else { return nil }
      if ratio == 0, side(&self) == nil { return nil }
      return ()
    }

    private mutating func skipPreview() -> Void? {
      guard let isMultiple = flag() else { return nil }
      func side(_ bits: inout Bits) -> Int? {
        isMultiple
          ? bits.chosen((16, 0), (32, 0), (1, 5), (33, 9))
          : bits.chosen((1, 6), (65, 8), (321, 10), (1_345, 12))
      }
      guard side(&self) != nil, let ratio = number(3) else { return nil }
      if ratio == 0, side(&self) == nil { return nil }
      return ()
    }

    private mutating func skipAnimation() -> Void? {
      guard chosen((100, 0), (1_000, 0), (1, 10), (1, 30)) != nil,
        chosen((1, 0), (1_001, 0), (1, 8), (1, 10)) != nil,
        chosen((0, 0), (0, 3), (0, 16), (0, 32)) != nil, flag() != nil
      else { return nil }
      return ()
    }

    private mutating func skipDepth() -> Void? {
      guard let isFloat = flag() else { return nil }
      guard isFloat else { return chosen((8, 0), (10, 0), (12, 0), (1, 6)).map { _ in } }
      return chosen((32, 0), (16, 0), (24, 0), (1, 6)) != nil && number(4) != nil ? () : nil
    }

    /// Parses the size and the image metadata up to the first extra channel that is alpha.
    mutating func findsAssociatedAlpha() -> Bool? {
      guard skipSize() != nil, let isDefault = flag(), !isDefault, let hasFields = flag() else {
        return nil
      }
      if hasFields {
        guard number(3) != nil, let hasSize = flag() else { return nil }
        if hasSize, skipSize() == nil { return nil }
        guard let hasPreview = flag() else { return nil }
        if hasPreview, skipPreview() == nil { return nil }
        guard let hasAnimation = flag() else { return nil }
        if hasAnimation, skipAnimation() == nil { return nil }
      }
      guard skipDepth() != nil, flag() != nil,
        let channels = chosen((0, 0), (1, 0), (2, 4), (1, 12))
      else { return nil }
      for _ in 0..<channels {
        guard let isPlainAlpha = flag() else { return nil }
        if isPlainAlpha { return false }
        guard let kind = chosen((0, 0), (1, 0), (2, 4), (18, 6)), skipDepth() != nil,
          chosen((0, 0), (3, 0), (4, 0), (1, 3)) != nil,
          let name = chosen((0, 0), (0, 4), (16, 5), (48, 10))
        else { return nil }
        for _ in 0..<name where number(8) == nil { return nil }
        if kind == 0 { return flag() }
        // The channels of spot colours and colour filters have further fields.
        if kind == 2 || kind == 5 { return nil }
      }
      return false
    }
  }
}
