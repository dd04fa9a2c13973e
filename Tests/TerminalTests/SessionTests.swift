import Foundation
import SystemCalls
import Glibc
import TestSupport
import Testing

@testable import Terminal

/// The session of a real program on a pseudo-terminal.
@Suite(.serialized) struct SessionTests {
  /// On a terminal, Swift's runtime would ask what to do about a crash.
  private static let environment = [
    "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor", "SWIFT_BACKTRACE=enable=no",
  ]

  private static func start(
    _ environment: [String] = SessionTests.environment, size: Size = Size(80, 24)
  ) throws -> Pty {
    try Pty(try fixture(), environment: environment, size: size)
  }

  /// The program, built beside the tests.
  private static func fixture() throws -> String {
    let tests = try #require(Machine.executablePath)
    return URL(fileURLWithPath: tests).deletingLastPathComponent().path + "/terminal-fixture"
  }

  /// The sequences that leaving must contain, for any reason.
  private static func expectRestored(_ pty: Pty, _ what: Comment) {
    #expect(pty.isAsBefore, what)
    let tail = String(decoding: pty.output.suffix(400), as: UTF8.self)
    for part in ["\u{1b}[?1049l", "\u{1b}[?25h", "\u{1b}[?7h", "\u{1b}[?2004l", "\u{1b}[?1002l"] {
      #expect(tail.contains(part), what)
    }
  }

  @Test("a program draws, receives keys, and restores the terminal when it quits")
  func ordinary() async throws {
    try await onThread {
      let pty = try Self.start()
      try pty.answerProbe()
      try pty.waitToSee("counter=0;")
      #expect(!pty.isAsBefore)
      pty.type("x")
      try pty.waitToSee("counter=1; last=character(\"x\");")
      pty.type("\u{1b}")
      try pty.waitToSee("last=escape;")
      pty.type("\u{1b}[<0;5;6M")
      try pty.waitToSee("last=mouse 4,5;")
      pty.type("\u{1b}[200~two\rlines\u{1b}[201~")
      try pty.waitToSee("last=paste two␊lines;")
      pty.type("q")
      #expect(try pty.end() == 0)
      #expect(String(decoding: pty.output.suffix(80), as: UTF8.self).contains("closed after"))
      #expect(pty.isAsBefore)
    }
  }

  @Test(
    "the terminal is restored before any signal ends the program",
    arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE])
  func killed(signal: Int32) async throws {
    try await onThread {
      let pty = try Self.start()
      try pty.answerProbe()
      try pty.waitToSee("counter=0;")
      kill(pty.process, signal)
      let status = try pty.end()
      #expect(status & 0x7f == signal)
      Self.expectRestored(pty, "signal \(signal)")
    }
  }

  @Test(
    "a crash restores the terminal and remains a crash",
    arguments: [("s", SIGSEGV), ("a", SIGABRT)])
  func crash(key: String, signal: Int32) async throws {
    try await onThread {
      let pty = try Self.start()
      try pty.answerProbe()
      try pty.waitToSee("counter=0;")
      pty.type(key)
      let status = try pty.end()
      #expect(status & 0x7f == signal)
      Self.expectRestored(pty, "key \(key)")
    }
  }

  @Test("a program that is killed before the terminal has replied restores it as well")
  func killedEarly() async throws {
    try await onThread {
      let pty = try Self.start()
      try pty.wait(for: "\u{1b}[c")
      kill(pty.process, SIGTERM)
      #expect(try pty.end() & 0x7f == SIGTERM)
      #expect(pty.isAsBefore)
    }
  }

  @Test("a terminal that does not reply is used, too")
  func silent() async throws {
    try await onThread {
      let pty = try Self.start()
      try pty.waitToSee("counter=0;")
      pty.type("q")
      #expect(try pty.end() == 0)
    }
  }

  @Test(
    "the abilities of the terminal are used: synchronized frames and kitty's keys, until it is restored"
  )
  func capable() async throws {
    try await onThread {
      let pty = try Self.start()
      try pty.answerProbe(
        "\u{1b}P>|kitty(0.26.5)\u{1b}\\\u{1b}[?2026;2$y\u{1b}[?2027;2$y\u{1b}[?0u\u{1b}[?62c")
      try pty.wait(for: "\u{1b}[>1u")
      try pty.wait(for: "\u{1b}[?2026h")
      try pty.wait(for: "\u{1b}[?2026l")
      kill(pty.process, SIGTERM)
      _ = try pty.end()
      let tail = String(decoding: pty.output.suffix(400), as: UTF8.self)
      #expect(tail.contains("\u{1b}[<u") && tail.contains("\u{1b}[?2027l"))
      Self.expectRestored(pty, "kitty")
    }
  }

  @Test("a new size is reported, and the whole screen is drawn for it")
  func resize() async throws {
    try await onThread {
      let pty = try Self.start()
      try pty.answerProbe()
      try pty.waitToSee("counter=0;")
      pty.resize(Size(40, 12))
      try pty.waitToSee("last=resize 40x12;")
      // Let the frame come to its end: the answer to a key is the next one.
      pty.type("x")
      try pty.waitToSee("counter=1;")
      let wanted = Self.screen(counter: 1, last: "character(\"x\")", Size(40, 12))
      try pty.waitToSee(wanted.text(ofRow: 0))
      pty.type("\u{1b}[I")
      while pty.screen.difference(from: wanted) != nil {
        guard let bytes = try pty.read(), !bytes.isEmpty else { break }
      }
      #expect(pty.screen.difference(from: wanted) == nil)
      pty.type("q")
      #expect(try pty.end() == 0)
    }
  }

  @Test("Ctrl-Z restores the terminal, fg sets it up again and draws everything")
  func suspend() async throws {
    try await onThread {
      // A shell between us and the program, so that it has someone who can continue it.
      let program = try Self.fixture()
      let pty = try Pty(
        "/bin/bash", ["--norc", "--noprofile", "-i"],
        environment: Self.environment + ["PS1=ready$ ", "A=\(program)"])
      try pty.wait(for: "ready$ ")
      pty.type("$A\n")
      try pty.answerProbe("\u{1b}[?0u\u{1b}[?62c")
      try pty.waitToSee("counter=0;")
      var start = pty.output.count
      pty.type("z")
      try pty.wait(for: "Stopped", from: start)
      let between = String(decoding: pty.output[start...], as: UTF8.self)
      #expect(between.contains("\u{1b}[?1049l"))
      start = pty.output.count
      pty.type("fg\n")
      try pty.wait(for: "\u{1b}[?1049h", from: start)
      try pty.waitToSee("last=resumed;")
      // Once, or leaving would not undo it.
      let resumed = String(decoding: pty.output[start...], as: UTF8.self)
      #expect(resumed.split(separator: "\u{1b}[>1u").count == 2)
      start = pty.output.count
      pty.type("q")
      try pty.wait(for: "closed after", from: start)
      pty.type("exit\n")
      #expect(try pty.end() == 0)
    }
  }

  @Test("after a stop from outside and a continuation, the terminal is set up again")
  func stoppedFromOutside() async throws {
    try await onThread {
      let pty = try Self.start()
      try pty.answerProbe()
      try pty.waitToSee("counter=0;")
      kill(pty.process, SIGSTOP)
      var status: Int32 = 0
      #expect(waitpid(pty.process, &status, WUNTRACED) == pty.process)
      let start = pty.output.count
      kill(pty.process, SIGCONT)
      try pty.wait(for: "\u{1b}[?1049h", from: start)
      try pty.waitToSee("last=resumed;")
      pty.type("q")
      #expect(try pty.end() == 0)
      #expect(pty.isAsBefore)
    }
  }

  @Test(
    "a terminal that reads 100 kB a second ends with the correct frame, and never gets two at once")
  func slow() async throws {
    try await onThread {
      let size = Size(120, 40)
      let folder = try TemporaryFolder()
      let mark = folder.path + "/flooded"
      let pty = try Pty(
        try Self.fixture(), ["flooded=\(mark)"], environment: Self.environment, size: size)
      try pty.answerProbe()
      try pty.waitToSee("counter=0;")
      // Three thousand whole screens, some 15 MB, at once.
      pty.type("f")
      let before = pty.output.count
      let wanted = Self.screen(counter: 3000, last: "character(\"f\")", size)
      while pty.screen.difference(from: wanted) != nil {
        var nothing = pollfd()
        poll(&nothing, 0, 10)
        // Few bytes are read until all screens were presented, however long that takes.
        guard pty.output.count - before < 20_000 || FileSystem.exists(mark) else { continue }
        guard let bytes = try pty.read(limit: 1000), !bytes.isEmpty else { break }
      }
      #expect(pty.screen.difference(from: wanted) == nil)
      // What was on its way, perhaps one or two begun while screens still came, and the last one.
      #expect(pty.output.count - before < 50_000)
      pty.type("q")
      #expect(try pty.end() == 0)
      let words = String(decoding: pty.output.suffix(60), as: UTF8.self).split(separator: " ")
      let dropped = try #require(words.dropLast().last.flatMap { Int($0) })
      #expect(dropped > 2900)
    }
  }

  /// What the fixture draws.
  private static func screen(counter: Int, last: String, _ size: Size) -> CellBuffer {
    var buffer = CellBuffer(size)
    for row in 0..<buffer.height {
      let shade = UInt8(truncatingIfNeeded: counter &* 7 &+ row)
      let letter = Character(Unicode.Scalar(0x41 + UInt8(counter % 26)))
      buffer.write(
        String(repeating: letter, count: buffer.width), at: Point(0, row),
        style: Style(.rgb(shade, 90, 200)))
    }
    buffer.write("counter=\(counter); last=\(last);", at: Point(0, 0))
    return buffer
  }
}
