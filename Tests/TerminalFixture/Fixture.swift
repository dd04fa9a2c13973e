import Glibc
import Terminal

/// A program on a terminal for tests to start, steer by keys and kill.
@main
struct Fixture {
  static func main() async {
    var environment: [String: String] = [:]
    for name in ["TERM", "COLORTERM", "NO_COLOR", "TMUX", "LANG", "SSH_TTY"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    do throws(TerminalError) {
      let session = try await TerminalSession.open(TerminalOptions(environment: environment))
      var state = FixtureState()
      state.showsImages = CommandLine.arguments.contains("pictures")
      session.present(state.draw(session.size, cell: session.capabilities.cellPixels))
      for await batch in session.events {
        for event in batch { state.handle(event) }
        if state.isOver { break }
        if state.suspends { session.suspend() }
        state.suspends = false
        if state.flood > 0 { flood(session, &state) }
        session.present(state.draw(session.size, cell: session.capabilities.cellPixels))
      }
      await session.close()
      print(
        "closed after \(session.statistics.frames) frames, \(session.statistics.dropped) dropped")
    } catch {
      print("cannot open: \(error)")
      exit(3)
    }
  }
}

extension Fixture {
  /// Presents many screens faster than any terminal takes them. They are drawn before.
  private static func flood(_ session: TerminalSession, _ state: inout FixtureState) {
    let screens = (0..<26).map { number -> CellBuffer in
      state.counter = number
      return state.draw(session.size)
    }
    for number in 0..<state.flood { session.present(screens[number % screens.count]) }
    state.counter = state.flood
    state.flood = 0
    // Says that all screens were presented; the argument names the file.
    if let argument = CommandLine.arguments.first(where: { $0.hasPrefix("flooded=") }) {
      close(open(String(argument.dropFirst("flooded=".utf8.count)), O_WRONLY | O_CREAT, 0o600))
    }
  }
}

struct FixtureState {
  var counter = 0
  var last = ""
  var flood = 0
  var isOver = false
  var suspends = false
  var showsImages = false
  private let image = FixtureState.gradient()

  mutating func handle(_ event: InputEvent) {
    switch event {
    case .key(let key):
      counter += 1
      act(key.text)
      last = "\(key.key)"
    case .resize(let size): last = "resize \(size.columns)x\(size.rows)"
    case .resumed: last = "resumed"
    case .paste(let paste): last = "paste \(paste.text)"
    case .mouse(let mouse): last = "mouse \(mouse.position.column),\(mouse.position.row)"
    case .focus, .capabilities: break
    }
  }

  private mutating func act(_ key: Character?) {
    switch key {
    case "q": isOver = true
    case "z": suspends = true
    case "f": flood = 3000
    case "p": showsImages.toggle()
    case "a": abort()
    case "s":
      // A fault of the machine, not a signal that someone sends.
      UnsafeMutablePointer<UInt8>(bitPattern: 16)?.pointee = 1
    default: break
    }
  }

  /// Red grows to the right, green downwards; a white frame, so that cut edges are seen.
  private static func gradient() -> Image? {
    let width = 301
    let height = 200
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let isEdge = x < 4 || y < 4 || x >= width - 4 || y >= height - 4
        pixels += isEdge ? [255, 255, 255] : [UInt8(x * 255 / width), UInt8(y * 255 / height), 90]
      }
    }
    return Image(width: width, height: height, format: .rgb, pixels: pixels)
  }

  /// Images whole, in part, beside others, and below a menu; text of all widths.
  private func drawImages(_ buffer: inout CellBuffer, _ cell: PixelSize) {
    guard let image else { return }
    let rect = image.size.fittedRect(in: Rect(2, 2, 30, 12), cell: cell)
    buffer.place(image, in: rect)
    buffer.clipped(to: Rect(36, 4, 20, 6)) { $0.place(image, in: Rect(36, 2, 20, 10)) }
    buffer.place(image, in: Rect(58, 2, 20, 10), source: PixelRect(100, 50, 100, 100))
    buffer.fill(Rect(6, 5, 14, 3), style: Style(.rgb(0xffffff), on: .rgb(0x303080)))
    buffer.write("a menu above", at: Point(7, 6), style: Style(.rgb(0xffffff), on: .rgb(0x303080)))
    buffer.write("wide 日本語|emoji 😀|family 👨‍👩‍👧‍👦|flag 🇩🇪|accents e\u{301}|heart ❤️|end", at: Point(2, 15))
    // The last row shows whether images at the bottom scroll the screen.
    buffer.place(image, in: Rect(2, buffer.height - 6, 20, 6))
    buffer.write("bottom", at: Point(24, buffer.height - 1))
  }

  /// Every cell depends on the counter, so that each frame is a whole screen.
  func draw(_ size: Size, cell: PixelSize = PixelSize(10, 20)) -> CellBuffer {
    var buffer = CellBuffer(size)
    if showsImages {
      drawImages(&buffer, cell)
      buffer.write("counter=\(counter);", at: Point(0, 0))
      return buffer
    }
    for row in 0..<buffer.height {
      let shade = UInt8(truncatingIfNeeded: counter &* 7 &+ row)
      let text = String(
        repeating: Character(Unicode.Scalar(0x41 + UInt8(counter % 26))), count: buffer.width)
      buffer.write(text, at: Point(0, row), style: Style(.rgb(shade, 90, 200)))
    }
    buffer.write("counter=\(counter); last=\(last);", at: Point(0, 0))
    return buffer
  }
}
