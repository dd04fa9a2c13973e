import Glibc
import Terminal

/// Microseconds to draw a screen and to write its difference, and the bytes of that.
///
/// Usage: cells [COLUMNS ROWS]     default: 200 60
@main
struct Cells {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let size = arguments.count == 2 ? Size(arguments[0], arguments[1]) : Size(200, 60)
    print("\(size.columns) x \(size.rows), microseconds p50 / p99, bytes p50")
    measure("list, nothing changed", size) { buffer, _ in list(&buffer, step: 0, scroll: 0) }
    measure("list, every bar moves", size) { list(&$0, step: $1, scroll: 0) }
    measure("list, scrolls by a row", size) { list(&$0, step: 0, scroll: $1) }
    measure("grid, fling by a page", size) { list(&$0, step: $1, scroll: $1 * 57) }
    measure("names in Chinese and with accents", size) { chinese(&$0, step: $1) }
    measure("every cell another colour", size) { colours(&$0, step: $1) }
    images(size)
  }

  private static func measure(
    _ name: String, _ size: Size, _ draw: (inout CellBuffer, Int) -> Void
  ) {
    var writer = ScreenWriter(Capabilities(colours: .trueColour, synchronizedOutput: true))
    var drawing: [Int] = []
    var writing: [Int] = []
    var bytes: [Int] = []
    for step in 0..<1200 {
      let start = now()
      var buffer = CellBuffer(size)
      draw(&buffer, step)
      let drawn = now()
      let count = writer.bytes(for: buffer).count
      let end = now()
      if step >= 200 {
        drawing.append(drawn - start)
        writing.append(end - drawn)
        bytes.append(count)
      }
    }
    let columns = [drawing, writing].map { times in
      "\(tenths(rank(times, 50))) / \(tenths(rank(times, 99)))"
    }
    print("\(name): draw \(columns[0]), write \(columns[1]), \(rank(bytes, 50)) bytes")
  }

  // MARK: - Screens

  private static let titles = (0..<400).map { "Collection \($0) of a museum's photographs" }
  private static let chinese = ["北京故宮博物院藏品", "Élève à l'école", "museum 日本語 photos 😀", "Ångström"]

  private static func list(_ buffer: inout CellBuffer, step: Int, scroll: Int) {
    buffer.put("Downloads", at: Point(1, 0), style: Style.plain.with(.bold))
    for row in 1..<buffer.height - 1 {
      let number = row + scroll
      let done = (number * 37 + step) % 101
      buffer.put(
        titles[number % titles.count], at: Point(1, row), columns: 60,
        style: Style(.rgb(0xd0d0d0)))
      buffer.put("Downloading...", at: Point(64, row), style: Style(.rgb(0x5fafff)))
      let bar = (buffer.width - 120) * done / 100
      buffer.fill(Rect(80, row, bar, 1), with: "█", style: Style(.rgb(0x5faf5f)))
      buffer.fill(
        Rect(80 + bar, row, buffer.width - 120 - bar, 1), with: "░", style: Style(.rgb(0x404040)))
      buffer.put("\(done) / 100  1.2 MB/s  0:42", at: Point(buffer.width - 38, row))
    }
    buffer.put(
      "? help  a add  p pause  r refresh  / filter", at: Point(1, buffer.height - 1),
      style: Style(.rgb(0x808080)))
  }

  private static func chinese(_ buffer: inout CellBuffer, step: Int) {
    for row in 0..<buffer.height {
      for column in stride(from: 0, to: buffer.width - 20, by: 24) {
        let name = chinese[(row + column + step) % chinese.count]
        buffer.put(name, at: Point(column, row), columns: 22)
      }
    }
  }

  private static func colours(_ buffer: inout CellBuffer, step: Int) {
    for row in 0..<buffer.height {
      for column in 0..<buffer.width {
        let red = UInt8(truncatingIfNeeded: column + step)
        let style = Style(.rgb(red, 7, 9), on: .rgb(9, UInt8(truncatingIfNeeded: row + step), 3))
        buffer.fill(Rect(column, row, 1, 1), with: "▀", style: style)
      }
    }
  }

  // MARK: - Pictures

  private static func images(_ size: Size) {
    let slices = (0..<24).compactMap { slice(number: $0, side: 512) }
    let cell = PixelSize(10, 20)
    let area = Rect(0, 1, size.columns, size.rows - 2)
    let rect = PixelSize(512, 512).fittedRect(in: area, cell: cell)
    for kind in [ImageProtocol.kitty, .kittyPlaceholders, .iTerm2, .sixel, .symbols] {
      var writer = ScreenWriter(
        Capabilities(
          colours: .trueColour, images: kind, cellPixels: cell, isTmux: kind == .kittyPlaceholders
        ))
      for pass in ["first", "again"] {
        var times: [Int] = []
        var bytes: [Int] = []
        for slice in slices {
          var buffer = CellBuffer(size)
          buffer.place(slice, in: rect)
          let start = now()
          bytes.append(writer.bytes(for: buffer).count)
          times.append(now() - start)
        }
        print(
          "slice of 512 x 512 in \(rect.columns) x \(rect.rows), \(kind.rawValue), \(pass): "
            + "\(tenths(rank(times, 50))) / \(tenths(rank(times, 99))), \(rank(bytes, 50)) bytes")
      }
    }
  }

  /// Grey rings with some noise, as of a scanner.
  private static func slice(number: Int, side: Int) -> Picture? {
    var state = UInt32(number + 1)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(side * side * 3)
    for y in 0..<side {
      for x in 0..<side {
        state = state &* 1_664_525 &+ 1_013_904_223
        let distance = (x - side / 2) * (x - side / 2) + (y - side / 2) * (y - side / 2)
        let grey = UInt8(truncatingIfNeeded: distance / 300 + number * 4) &+ UInt8(state >> 29)
        pixels += [grey, grey, grey]
      }
    }
    return Picture(width: side, height: side, format: .rgb, pixels: pixels)
  }

  // MARK: - Figures

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  private static func rank(_ values: [Int], _ percent: Int) -> Int {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
  }

  /// Nanoseconds as microseconds.
  private static func tenths(_ nanoseconds: Int) -> String {
    "\(nanoseconds / 1000).\(nanoseconds / 100 % 10)"
  }
}
