@testable import Terminal

/// What a terminal with kitty's graphics protocol makes of bytes: the images that it holds, and
/// where it shows which part of them. Also inside tmux.
struct GraphicsScreen {
  struct Image: Equatable {
    var width: Int
    var height: Int
    var channels: Int
    var pixels: [UInt8]
    /// Cells of a virtual placement.
    var cells: Size?
  }

  struct Placement: Hashable {
    var image: Int
    var number: Int
  }

  struct Place: Hashable {
    var rect: Rect
    var source: PixelRect
  }

  private(set) var images: [Int: Image] = [:]
  private(set) var placements: [Placement: Place] = [:]
  /// Commands that named an image or a part that is not there.
  private(set) var errors: [String] = []
  private(set) var commands = 0
  private var pending: (keys: [String: String], digits: [UInt8])?
  private var cursor = Point(0, 0)

  mutating func write(_ bytes: [UInt8]) throws {
    var at = 0
    while at < bytes.count {
      guard bytes[at] == 0x1b, at + 1 < bytes.count else {
        at += 1
        continue
      }
      switch bytes[at + 1] {
      case UInt8(ascii: "["): at = moveCursor(bytes, at + 2)
      case UInt8(ascii: "_"):
        let end = try Self.stringEnd(bytes, at)
        try command(bytes[(at + 3)..<end])
        at = end + 2
      case UInt8(ascii: "P"):
        let end = try Self.stringEnd(bytes, at)
        guard String(decoding: bytes[(at + 2)..<end], as: UTF8.self).hasPrefix("tmux;") else {
          throw Decoding.Damaged()
        }
        try write(Self.undoubled(bytes[(at + 7)..<end]))
        at = end + 2
      default: at += 2
      }
    }
  }

  /// The position of the `ESC \` that ends the string; doubled ESCs inside a string do not.
  private static func stringEnd(_ bytes: [UInt8], _ start: Int) throws -> Int {
    var at = start + 2
    while at + 1 < bytes.count {
      if bytes[at] == 0x1b {
        if bytes[at + 1] == UInt8(ascii: "\\") { return at }
        at += 2
      } else {
        at += 1
      }
    }
    throw Decoding.Damaged()
  }

  private static func undoubled(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var previousWasEscape = false
    for byte in bytes {
      if byte == 0x1b, previousWasEscape {
        previousWasEscape = false
        continue
      }
      previousWasEscape = byte == 0x1b
      result.append(byte)
    }
    return result
  }

  private mutating func moveCursor(_ bytes: [UInt8], _ start: Int) -> Int {
    var at = start
    while at < bytes.count, !(0x40..<0x7f).contains(bytes[at]) { at += 1 }
    guard at < bytes.count else { return at }
    if bytes[at] == UInt8(ascii: "H") {
      let parts = String(decoding: bytes[start..<at], as: UTF8.self).split(separator: ";")
      let numbers = parts.compactMap { Int($0) }
      cursor = numbers.count == 2 ? Point(numbers[1] - 1, numbers[0] - 1) : Point(0, 0)
    }
    return at + 1
  }

  private mutating func command(_ content: ArraySlice<UInt8>) throws {
    commands += 1
    let halves = content.split(
      separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [String: String] = [:]
    for pair in String(decoding: halves[0], as: UTF8.self).split(separator: ",") {
      let sides = pair.split(separator: "=")
      keys[String(sides[0])] = String(sides[1])
    }
    let digits = halves.count > 1 ? Array(halves[1]) : []
    guard digits.count <= 4096 else { throw Decoding.Damaged() }
    if var waiting = pending {
      // Between pieces nothing but pieces.
      guard keys["a"] == nil else { throw Decoding.Damaged() }
      waiting.digits += digits
      pending = waiting
      if keys["m"] != "1" { try finish() }
    } else if keys["a"] == "t" || keys["a"] == "T" {
      pending = (keys, digits)
      if keys["m"] != "1" { try finish() }
    } else {
      act(keys)
    }
  }

  private mutating func finish() throws {
    guard let (keys, digits) = pending else { return }
    pending = nil
    guard let number = keys["i"].flatMap({ Int($0) }), let width = keys["s"].flatMap({ Int($0) }),
      let height = keys["v"].flatMap({ Int($0) })
    else { throw Decoding.Damaged() }
    let channels = keys["f"] == "24" ? 3 : 4
    var pixels = try Decoding.base64(digits)
    if keys["o"] == "z" {
      guard let whole = try? Decoding.inflate(pixels, size: width * height * channels) else {
        return
      }
      pixels = whole
    }
    // Given up half way: kitty drops it.
    guard pixels.count == width * height * channels else { return }
    var image = Image(width: width, height: height, channels: channels, pixels: pixels)
    if keys["U"] == "1", let columns = keys["c"].flatMap({ Int($0) }),
      let rows = keys["r"].flatMap({ Int($0) })
    {
      image.cells = Size(columns, rows)
    }
    images[number] = image
  }

  private mutating func act(_ keys: [String: String]) {
    func number(_ key: String) -> Int { keys[key].flatMap { Int($0) } ?? 0 }
    let placement = Placement(image: number("i"), number: number("p"))
    switch (keys["a"], keys["d"]) {
    case ("p", _):
      let source = PixelRect(number("x"), number("y"), number("w"), number("h"))
      guard let image = images[placement.image],
        source.intersection(PixelRect(PixelSize(image.width, image.height))) == source,
        !source.isEmpty
      else { return errors.append("\(keys)") }
      let rect = Rect(cursor.column, cursor.row, number("c"), number("r"))
      placements[placement] = Place(rect: rect, source: source)
    case ("d", "i"):
      if placements.removeValue(forKey: placement) == nil { errors.append("\(keys)") }
    case ("d", "I"):
      images[placement.image] = nil
      placements = placements.filter { $0.key.image != placement.image }
    case ("d", "a"): placements = [:]
    case ("d", "A"):
      placements = [:]
      images = [:]
    default: errors.append("\(keys)")
    }
  }
}
