import TestSupport
import Testing

@testable import Terminal

@Suite struct InputDecoderTests {
  /// What terminals send, and what it means.
  static let sequences: [(bytes: String, item: InputDecoder.Item)] = [
    ("a", .key(.character("a"))),
    ("A", .key(.character("A"))),
    ("é", .key(.character("é"))),
    ("日", .key(.character("日"))),
    ("😀", .key(.character("😀"))),
    ("\r", .key(.enter)),
    ("\t", .key(.tab)),
    ("\u{7f}", .key(.backspace)),
    ("\u{3}", .key(.character("c"), .control)),
    ("\u{0}", .key(.character(" "), .control)),
    ("\u{1b}a", .key(.character("a"), .alt)),
    ("\u{1b}é", .key(.character("é"), .alt)),
    ("\u{1b}\u{7f}", .key(.backspace, .alt)),
    ("\u{1b}[A", .key(.up)),
    ("\u{1b}OA", .key(.up)),
    ("\u{1b}\u{1b}[A", .key(.up, .alt)),
    ("\u{1b}[1;5C", .key(.right, .control)),
    ("\u{1b}[1;2D", .key(.left, .shift)),
    ("\u{1b}[H", .key(.home)),
    ("\u{1b}[4~", .key(.end)),
    ("\u{1b}[5~", .key(.pageUp)),
    ("\u{1b}[6;3~", .key(.pageDown, .alt)),
    ("\u{1b}[3~", .key(.delete)),
    ("\u{1b}[2~", .key(.insert)),
    ("\u{1b}OP", .key(.function(1))),
    ("\u{1b}[1;2S", .key(.function(4), .shift)),
    ("\u{1b}[15~", .key(.function(5))),
    ("\u{1b}[24~", .key(.function(12))),
    ("\u{1b}[[B", .key(.function(2))),
    ("\u{1b}[Z", .key(.tab, .shift)),
    // kitty's keyboard protocol
    ("\u{1b}[27u", .key(.escape)),
    ("\u{1b}[105;5u", .key(.character("i"), .control)),
    ("\u{1b}[97;2u", .key(.character("A"))),
    ("\u{1b}[49:33;2u", .key(.character("!"))),
    ("\u{1b}[97;1:2u", .key(.character("a"), kind: .repeat)),
    ("\u{1b}[97;1:3u", .key(.character("a"), kind: .release)),
    ("\u{1b}[1;1:3A", .key(.up, kind: .release)),
    ("\u{1b}[57399u", .key(.character("0"))),
    ("\u{1b}[57414;5u", .key(.enter, .control)),
    ("\u{1b}[13;2u", .key(.enter, .shift)),
    // xterm's modifyOtherKeys
    ("\u{1b}[27;5;9~", .key(.tab, .control)),
    // Mouse
    ("\u{1b}[<0;1;1M", .mouse(.press(.left), 0, 0)),
    ("\u{1b}[<2;80;24m", .mouse(.release(.right), 79, 23)),
    ("\u{1b}[<32;5;6M", .mouse(.drag(.left), 4, 5)),
    ("\u{1b}[<35;5;6M", .mouse(.move, 4, 5)),
    ("\u{1b}[<64;5;6M", .mouse(.wheel(.up), 4, 5)),
    ("\u{1b}[<65;300;6M", .mouse(.wheel(.down), 299, 5)),
    ("\u{1b}[<16;1;1M", .mouse(.press(.left), 0, 0, .control)),
    ("\u{1b}[M !!", .mouse(.press(.left), 0, 0)),
    ("\u{1b}[M`\"#", .mouse(.wheel(.up), 1, 2)),
    // The window
    ("\u{1b}[I", .input(.focus(true))),
    ("\u{1b}[O", .input(.focus(false))),
    ("\u{1b}[200~one\rtwo\u{1b}[31m\u{3}\u{1b}[201~", .input(.paste(Paste("one\ntwo[31m")))),
    ("\u{1b}[200~\u{1b}[201~", .input(.paste(Paste("")))),
    ("\u{1b}[200~a\u{1b}\u{1b}[201~", .input(.paste(Paste("a")))),
    // Answers
    ("\u{1b}[?62;4;22c", .reply(.attributes([62, 4, 22]))),
    ("\u{1b}[?2026;2$y", .reply(.mode(2026, 2))),
    ("\u{1b}P>|kitty(0.26.5)\u{1b}\\", .reply(.version("kitty(0.26.5)"))),
    ("\u{1b}[?1u", .reply(.keyboardFlags(1))),
    ("\u{1b}[6;18;9t", .reply(.cellPixels(PixelSize(9, 18)))),
    ("\u{1b}]11;rgb:1e1e/2020/ffff\u{1b}\\", .reply(.background(.rgb(0x1e20ff)))),
    ("\u{1b}]11;rgb:f/0/8\u{7}", .reply(.background(.rgb(0xff0088)))),
    ("\u{1b}_Gi=31;OK\u{1b}\\", .reply(.graphics(image: 31, message: "OK"))),
    ("\u{1b}_Gi=7,p=2;ENOENT:gone\u{1b}\\", .reply(.graphics(image: 7, message: "ENOENT:gone"))),
  ]

  private func decode(_ pieces: [ArraySlice<UInt8>]) -> [InputDecoder.Item] {
    var decoder = InputDecoder()
    for piece in pieces { decoder.decode(piece) }
    return decoder.drain()
  }

  @Test("every sequence has one meaning", arguments: sequences.indices)
  func whole(index: Int) {
    let (bytes, item) = Self.sequences[index]
    #expect(decode([Array(bytes.utf8)[...]]) == [item], "\(bytes.debugDescription)")
  }

  @Test("a sequence has the same meaning for any division of its bytes")
  func cut() {
    for (text, item) in Self.sequences {
      let bytes = Array(text.utf8)
      for at in 0...bytes.count {
        #expect(
          decode([bytes[..<at], bytes[at...]]) == [item], "\(text.debugDescription) at \(at)")
      }
      #expect(decode(bytes.indices.map { bytes[$0...$0] }) == [item])
    }
  }

  @Test("consecutive sequences have the meaning of each")
  func together() {
    let all = Array(Self.sequences.map(\.bytes).joined().utf8)
    #expect(decode([all[...]]) == Self.sequences.map(\.item))
  }

  @Test("ESC alone is the key once its time is over, and not before")
  func escape() {
    var decoder = InputDecoder()
    decoder.decode([0x1b])
    #expect(decoder.drain().isEmpty)
    #expect(decoder.isWaiting)
    decoder.deadlinePassed()
    #expect(decoder.drain() == [.key(.escape)])
    #expect(!decoder.isWaiting)
    decoder.decode([0x5b, 0x41])
    #expect(decoder.drain() == [.key(.character("[")), .key(.character("A"))])
  }

  @Test(
    "alt with a character that also starts a sequence is that key",
    arguments: ["[", "O", "P", "]", "_"])
  func altKeys(text: String) {
    var decoder = InputDecoder()
    decoder.decode([0x1b] + Array(text.utf8))
    decoder.deadlinePassed()
    #expect(decoder.drain() == [.key(.character(Character(text)), .alt)])
    #expect(!decoder.isWaiting)
  }

  @Test("a paste keeps its first million bytes, says so, and ends where it ends")
  func longPaste() {
    var decoder = InputDecoder()
    decoder.decode("\u{1b}[200~".utf8)
    let line = Array(String(repeating: "é", count: 1000).utf8)
    for _ in 0..<600 { decoder.decode(line) }
    decoder.decode("\u{1b}[201~x".utf8)
    let items = decoder.drain()
    guard case .input(.paste(let paste))? = items.first, items.count == 2 else {
      Issue.record("\(items.count) items")
      return
    }
    #expect(paste.isTruncated)
    #expect(paste.text.utf8.count == InputDecoder.pasteLimit)
    #expect(paste.text.allSatisfy { $0 == "é" })
    #expect(items[1] == .key(.character("x")))
  }

  @Test("a paste without an end is abandoned, and the keyboard works")
  func endlessPaste() {
    var decoder = InputDecoder()
    decoder.decode("\u{1b}[200~abc".utf8)
    for _ in 0..<InputDecoder.maximumMissedDeadlines { decoder.deadlinePassed() }
    #expect(decoder.drain() == [.input(.paste(Paste("abc")))])
    decoder.decode("q".utf8)
    #expect(decoder.drain() == [.key(.character("q"))])
  }

  @Test("a reply that arrives in pieces over a slow line is one reply")
  func slowAnswer() {
    var decoder = InputDecoder()
    decoder.decode("\u{1b}P>|kit".utf8)
    decoder.deadlinePassed()
    decoder.deadlinePassed()
    decoder.decode("ty\u{1b}\\".utf8)
    #expect(decoder.drain() == [.reply(.version("kitty"))])
  }

  @Test("a release without a name is that of the button that went down")
  func oldMouse() {
    var decoder = InputDecoder()
    decoder.decode("\u{1b}[M\"!!\u{1b}[M#!!".utf8)
    #expect(decoder.drain() == [.mouse(.press(.right), 0, 0), .mouse(.release(.right), 0, 0)])
  }

  @Test("random bytes do no harm, and the keyboard works afterwards", arguments: 0..<50)
  func noise(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var decoder = InputDecoder()
    // Bytes that mean something come more often than chance has them.
    let likely = Array("\u{1b}\u{1b}\u{1b}[[O<?;:0123456789~MmuctyPG_]\\\u{7}\u{18}".utf8)
    for _ in 0..<400 {
      let bytes = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator)
          : likely.randomElement(using: &generator) ?? 0
      }
      decoder.decode(bytes)
      if Bool.random(using: &generator) { decoder.deadlinePassed() }
      for case .input(.mouse(let mouse)) in decoder.drain() {
        #expect(mouse.position.column >= 0 && mouse.position.row >= 0)
      }
    }
    for _ in 0..<InputDecoder.maximumMissedDeadlines where decoder.isWaiting {
      decoder.deadlinePassed()
    }
    #expect(!decoder.isWaiting)
    _ = decoder.drain()
    decoder.decode("q".utf8)
    #expect(decoder.drain() == [.key(.character("q"))])
  }

  @Test("sequences with absurd numbers and lengths do no harm")
  func absurd() {
    var decoder = InputDecoder()
    let digits = String(repeating: "9", count: 10_000)
    decoder.decode("\u{1b}[\(digits);\(digits)u\u{1b}[<\(digits);\(digits);\(digits)M".utf8)
    decoder.decode("\u{1b}[\(String(repeating: ";", count: 9999))A\u{1b}]\(digits)\u{7}".utf8)
    decoder.decode("\u{1b}[6;\(digits);\(digits)t\u{1b}[1114112u\u{1b}[55296u".utf8)
    _ = decoder.drain()
    decoder.decode("q".utf8)
    #expect(decoder.drain() == [.key(.character("q"))])
  }
}

extension InputDecoder.Item {
  static func key(
    _ key: Key, _ modifiers: Modifiers = [], kind: KeyEvent.Kind = .press
  ) -> Self { .input(.key(KeyEvent(key, modifiers, kind: kind))) }

  static func mouse(
    _ action: MouseEvent.Action, _ column: Int, _ row: Int, _ modifiers: Modifiers = []
  ) -> Self { .input(.mouse(MouseEvent(action, at: Point(column, row), modifiers))) }
}
