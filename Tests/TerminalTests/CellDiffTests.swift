import TestSupport
import Testing

@testable import Terminal

@Suite struct CellDiffTests {
  private let capabilities = Capabilities(colours: .trueColour, synchronizedOutput: true)

  @Test(
    "a screen and the bytes of its changes give the next screen, for any content",
    arguments: 0..<40)
  func differencesAddUp(seed: Int) throws {
    var random = RandomScreen(generator: SeededGenerator(seed: UInt64(seed)))
    var buffer = CellBuffer(random.size())
    let terminal = try VirtualTerminal(buffer.size)
    var writer = ScreenWriter(capabilities)
    var output = Output()
    for step in 0..<100 {
      random.change(&buffer)
      output.removeAll()
      writer.write(buffer, budget: 0, &output)
      terminal.write(output.bytes)
      if let difference = terminal.difference(from: buffer) {
        Issue.record("seed \(seed), step \(step): \(difference)")
        return
      }
      if step % 17 == 16 {
        // The terminal gets another size and does what it likes with what was there.
        buffer = CellBuffer(random.size())
        terminal.resize(buffer.size)
        writer.invalidate()
      }
    }
  }

  @Test("any screen is reached from any other in one step", arguments: 0..<20)
  func anyPair(seed: Int) throws {
    var random = RandomScreen(generator: SeededGenerator(seed: UInt64(1000 + seed)))
    let size = random.size()
    let terminal = try VirtualTerminal(size)
    var writer = ScreenWriter(capabilities)
    for step in 0..<100 {
      var buffer = CellBuffer(size)
      for _ in 0..<4 { random.change(&buffer) }
      var output = Output()
      writer.write(buffer, budget: 0, &output)
      terminal.write(output.bytes)
      #expect(terminal.difference(from: buffer) == nil, "seed \(seed), step \(step)")
    }
  }

  @Test("in tmux, the first of joined emoji is written, since tmux and its terminal differ")
  func joinedInTmux() {
    var writer = ScreenWriter(Capabilities(isTmux: true))
    var buffer = CellBuffer(Size(20, 1))
    buffer.write("👨‍👩‍👧‍👦|", at: Point(0, 0))
    let text = String(decoding: writer.bytes(for: buffer), as: UTF8.self)
    #expect(text.contains("👨\u{1b}[1;3H|") && !text.contains("\u{200d}"))
  }

  @Test("an unchanged screen costs no bytes")
  func nothingToDo() {
    var writer = ScreenWriter(capabilities)
    var buffer = CellBuffer(Size(80, 24))
    buffer.write("Finished", at: Point(3, 4), style: Style(.rgb(0xff0000)))
    var output = Output()
    writer.write(buffer, budget: 0, &output)
    #expect(!output.isEmpty)
    output.removeAll()
    writer.write(buffer, budget: 0, &output)
    #expect(output.isEmpty)
  }

  @Test("a changing counter costs few bytes, within the marks of one frame")
  func smallChange() {
    var writer = ScreenWriter(capabilities)
    var buffer = CellBuffer(Size(80, 24))
    buffer.write("Downloading 41%", at: Point(3, 4))
    var output = Output()
    writer.write(buffer, budget: 0, &output)
    output.removeAll()
    buffer.write("Downloading 42%", at: Point(3, 4))
    writer.write(buffer, budget: 0, &output)
    #expect(
      String(decoding: output.bytes, as: UTF8.self)
        == "\u{1b}[?2026h\u{1b}[5;17H2\u{1b}[?2026l")
  }

  @Test("the cursor is shown at the position of a text field, and nowhere else")
  func cursor() {
    var writer = ScreenWriter(Capabilities())
    var buffer = CellBuffer(Size(20, 2))
    var output = Output()
    writer.write(buffer, budget: 0, &output)
    output.removeAll()
    buffer.cursor = Point(4, 1)
    writer.write(buffer, budget: 0, &output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "\u{1b}[2;5H\u{1b}[?25h")
    output.removeAll()
    buffer.cursor = nil
    writer.write(buffer, budget: 0, &output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "\u{1b}[?25l")
  }
}
