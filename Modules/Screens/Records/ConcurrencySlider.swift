import Terminal

/// The slider for the number of simultaneous downloads (DL3). A number that the user chooses is shown until
/// the library has adopted it.
struct ConcurrencySlider: Sendable {
  private var chosen: Int?

  /// Returns the number to show.
  /// - Parameter library: The last snapshot.
  func value(_ library: LibrarySnapshot) -> Int { chosen ?? library.concurrency }

  /// Chooses a number.
  /// - Returns: The actions that set the number in the library.
  mutating func choose(_ value: Int, _ library: LibrarySnapshot) -> [ScreenAction] {
    guard value != self.value(library) else { return [] }
    chosen = value
    return [.perform(.perform(.setConcurrency(value)))]
  }

  mutating func step(by steps: Int, _ library: LibrarySnapshot) -> [ScreenAction] {
    choose(ConcurrencyScale.step(value(library), by: steps), library)
  }

  /// Drops the chosen number once the library has adopted it, or if the slider is not being dragged.
  /// - Parameter isHeld: Whether the mouse drags the slider.
  mutating func receive(_ library: LibrarySnapshot, isHeld: Bool) {
    if chosen == library.concurrency || !isHeld { chosen = nil }
  }

  func draw(_ library: LibrarySnapshot, in area: Rect, on canvas: inout Canvas) {
    var inner = area.inset(columns: 1)
    let label = area.columns < 60 ? "At once { " : "Downloads at once { "
    let used = canvas.text(label, in: inner, .dim)
    canvas.hit(inner.prefix(columns: used), .command(.fewer))
    inner = inner.dropping(columns: used)
    let room = inner.prefix(columns: min(60, inner.columns - 8))
    canvas.fill(room, .barEmpty, with: "─")
    let fraction = ConcurrencyScale.fraction(value(library))
    let knob = Int((fraction * Double(max(0, room.columns - 1))).rounded())
    canvas.text(String(repeating: "━", count: knob), in: room, .bar)
    canvas.text("●", in: room.dropping(columns: knob).prefix(columns: 1), .key)
    canvas.hit(room, .concurrency)
    let end = inner.dropping(columns: room.columns)
    canvas.text(" } \(value(library))", in: end, .dim)
    canvas.hit(end.prefix(columns: 3), .command(.more))
  }
}

/// The steps of the slider for the number of simultaneous downloads.
enum ConcurrencyScale {
  static let stops =
    Array(1...16) + [20, 24, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024]

  static func step(_ value: Int, by steps: Int) -> Int {
    if steps > 0 { return stops.first { $0 > value } ?? stops[stops.count - 1] }
    return stops.last { $0 < value } ?? stops[0]
  }

  /// Returns the position of a number on the slider, 0...1.
  static func fraction(_ value: Int) -> Double {
    let index = stops.lastIndex { $0 <= value } ?? 0
    return Double(index) / Double(stops.count - 1)
  }

  static func value(at fraction: Double) -> Int {
    let place = (min(1, max(0, fraction)) * Double(stops.count - 1)).rounded()
    return stops[Int(place)]
  }
}
