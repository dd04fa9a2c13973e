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
      session.present(state.draw(session.size))
      for await batch in session.events {
        for event in batch { state.handle(event) }
        if state.isOver { break }
        if state.suspends { session.suspend() }
        state.suspends = false
        if state.flood > 0 { flood(session, &state) }
        session.present(state.draw(session.size))
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
  }
}

struct FixtureState {
  var counter = 0
  var last = ""
  var flood = 0
  var isOver = false
  var suspends = false

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
    case "a": abort()
    case "s":
      // A fault of the machine, not a signal that someone sends.
      UnsafeMutablePointer<UInt8>(bitPattern: 16)?.pointee = 1
    default: break
    }
  }

  /// Every cell depends on the counter, so that each frame is a whole screen.
  func draw(_ size: Size) -> CellBuffer {
    var buffer = CellBuffer(size)
    for row in 0..<buffer.height {
      let shade = UInt8(truncatingIfNeeded: counter &* 7 &+ row)
      let text = String(
        repeating: Character(Unicode.Scalar(0x41 + UInt8(counter % 26))), count: buffer.width)
      buffer.put(text, at: Point(0, row), style: Style(.rgb(shade, 90, 200)))
    }
    buffer.put("counter=\(counter); last=\(last);", at: Point(0, 0))
    return buffer
  }
}
