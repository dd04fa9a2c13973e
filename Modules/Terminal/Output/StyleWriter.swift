/// The current style of the terminal, and the sequences that change it (SGR, ECMA-48 8.3.117).
struct StyleWriter {
  private let depth: ColourDepth
  private var style = Style.plain
  /// A cache of recently reduced colours, which makes frames with many alternating colours cheap.
  private var recent: [UInt64]

  init(depth: ColourDepth) {
    self.depth = depth
    recent = [UInt64](repeating: 0, count: depth == .trueColour ? 0 : 256)
  }

  var isPlain: Bool { style == .plain }

  @inline(__always)
  mutating func set(_ new: Style, _ output: inout Output) {
    if new != style { change(to: new, &output) }
  }

  /// Sets the foreground to an image number, independent of the colour depth.
  mutating func setPlaceholder(_ colour: Colour, _ output: inout Output) {
    let new = Style(colour)
    if depth >= .palette256 { return set(new, &output) }
    if style == new { return }
    set(.plain, &output)
    output.append("\u{1b}[38;5;")
    output.append(number: Int(colour.bits & 0xff))
    output.append(0x6d)
    style = new
  }

  private mutating func change(to wanted: Style, _ output: inout Output) {
    let new = depth == .none ? Style.plain.with(wanted.attributes) : wanted
    var list = ParameterList()
    if !style.attributes.isSubset(of: new.attributes) {
      list.start(&output, 0)
      style = .plain
    }
    let added = new.attributes.subtracting(style.attributes)
    if !added.isEmpty { Self.append(added, &list, &output) }
    if new.foreground != style.foreground {
      append(new.foreground, isBackground: false, &list, &output)
    }
    if new.background != style.background {
      append(new.background, isBackground: true, &list, &output)
    }
    list.finish(&output)
    style = new
  }

  private static func append(
    _ attributes: Attributes, _ list: inout ParameterList, _ output: inout Output
  ) {
    let codes: [(Attributes, Int)] = [
      (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7), (.strikethrough, 9),
    ]
    for (attribute, code) in codes where attributes.contains(attribute) {
      list.start(&output, code)
    }
  }

  private mutating func append(
    _ colour: Colour, isBackground: Bool, _ list: inout ParameterList, _ output: inout Output
  ) {
    let base = isBackground ? 40 : 30
    let shown = reduced(colour)
    switch shown.bits >> 24 {
    case 0: list.start(&output, base &+ 9)
    case 1:
      let index = Int(shown.bits & 0xff)
      if index < 8 {
        list.start(&output, base &+ index)
      } else if index < 16 {
        list.start(&output, base &+ 52 &+ index)
      } else {
        list.start(&output, base &+ 8)
        list.next(&output, 5)
        list.next(&output, index)
      }
    default:
      list.start(&output, base &+ 8)
      list.next(&output, 2)
      list.next(&output, Int(shown.bits >> 16 & 0xff))
      list.next(&output, Int(shown.bits >> 8 & 0xff))
      list.next(&output, Int(shown.bits & 0xff))
    }
  }

  /// Returns the nearest colour that the terminal can show.
  private mutating func reduced(_ colour: Colour) -> Colour {
    if colour.isShown(at: depth) { return colour }
    let slot = Int((colour.bits &* 0x9e37_79b1) >> 24)
    if recent[slot] >> 32 == UInt64(colour.bits) {
      return Colour(bits: UInt32(truncatingIfNeeded: recent[slot]))
    }
    let result = colour.reduced(to: depth)
    recent[slot] = UInt64(colour.bits) << 32 | UInt64(result.bits)
    return result
  }
}

/// The parameters between `CSI` and `m`.
private struct ParameterList {
  private var isOpen = false

  /// Adds a number, as the first one or after a semicolon.
  @inline(__always)
  mutating func start(_ output: inout Output, _ number: Int) {
    if isOpen {
      output.append(0x3b)
    } else {
      output.append("\u{1b}[")
      isOpen = true
    }
    output.append(number: number)
  }

  @inline(__always)
  mutating func next(_ output: inout Output, _ number: Int) {
    output.append(0x3b)
    output.append(number: number)
  }

  @inline(__always)
  mutating func finish(_ output: inout Output) {
    if isOpen { output.append(0x6d) }
  }
}
