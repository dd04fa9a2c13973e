import Testing

@testable import Terminal

/// The probe against terminals as they answer.
@Suite struct ProbeTests {
  private static let utf8 = ["LANG": "en_US.UTF-8"]

  /// Lets a terminal answer; what the probe asks in return is collected.
  private func probe(
    _ environment: [String: String], _ answers: String
  ) -> (probe: CapabilityProbe, asked: [UInt8]) {
    var probe = CapabilityProbe(environment: environment.merging(Self.utf8) { own, _ in own })
    var decoder = InputDecoder()
    decoder.decode(answers.utf8)
    var asked: [UInt8] = []
    for case .reply(let reply) in decoder.drain() { asked += probe.receive(reply) }
    return (probe, asked)
  }

  @Test("kitty: placements, synchronized frames, its keyboard")
  func kitty() {
    let (probe, asked) = probe(
      ["TERM": "xterm-kitty"],
      "\u{1b}P>|kitty(0.26.5)\u{1b}\\\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[6;18;9t"
        + "\u{1b}]11;rgb:0000/0000/0000\u{1b}\\\u{1b}[?2026;2$y\u{1b}[?2027;0$y\u{1b}[?0u\u{1b}[?62c"
    )
    let found = probe.capabilities
    #expect(probe.isComplete && asked.isEmpty)
    #expect(found.images == .kitty)
    #expect(found.colours == .trueColour)
    #expect(found.cellPixels == PixelSize(9, 18) && found.knowsCellPixels)
    #expect(found.synchronizedOutput && found.kittyKeyboard && !found.graphemeClusters)
    #expect(found.background == .rgb(0))
    #expect(found.name == "kitty(0.26.5)")
  }

  @Test("xterm -ti vt340: sixel")
  func xterm() {
    let (probe, _) = probe(
      ["TERM": "xterm-256color"],
      "\u{1b}P>|XTerm(379)\u{1b}\\\u{1b}[6;15;7t\u{1b}[?2026;0$y\u{1b}[?2027;0$y"
        + "\u{1b}[?63;1;2;4;6;9;15;16;22c")
    #expect(probe.capabilities.images == .sixel)
    #expect(probe.capabilities.colours == .trueColour)
    #expect(!probe.capabilities.synchronizedOutput && !probe.capabilities.kittyKeyboard)
  }

  @Test("A terminal with sixel is asked for its largest image, once")
  func sixelLimit() {
    let (asking, asked) = probe(
      ["TERM": "foot"], "\u{1b}P>|foot(1.13.1)\u{1b}\\\u{1b}[?62;4;22c\u{1b}[?2026;2$y")
    #expect(asked == Array("\u{1b}[?2;1;0S".utf8))
    #expect(asking.capabilities.sixelLimit == nil)
    let (answered, _) = probe(
      ["TERM": "foot"],
      "\u{1b}P>|foot(1.13.1)\u{1b}\\\u{1b}[?62;4;22c\u{1b}[?2;0;800;600S")
    #expect(answered.capabilities.sixelLimit == PixelSize(800, 600))
    let (_, withoutSixel) = probe(["TERM": "xterm"], "\u{1b}[?64;1;2;6c")
    #expect(withoutSixel.isEmpty)
  }

  @Test(
    "xterm has its standard limit unless it names another one",
    arguments: [
      ("", 1_000, 1_000), ("\u{1b}[?2;0;1920;1080S", 1_920, 1_080),
      ("\u{1b}[?2;3;0S", 1_000, 1_000),
      ("\u{1b}[?2;0;0;0S", 1_000, 1_000), ("\u{1b}[?1;0;256S", 1_000, 1_000),
    ])
  func xtermLimit(answer: String, width: Int, height: Int) {
    let (probe, _) = probe(
      ["TERM": "xterm"], "\u{1b}P>|XTerm(379)\u{1b}\\\u{1b}[?63;1;2;4;6;9;15;22c" + answer)
    #expect(probe.capabilities.sixelLimit == PixelSize(width, height))
  }

  @Test("xterm without sixel: characters")
  func plainXterm() {
    let (probe, _) = probe(["TERM": "xterm"], "\u{1b}P>|XTerm(379)\u{1b}\\\u{1b}[?64;1;2;6c")
    #expect(probe.capabilities.images == .symbols)
  }

  @Test("foot: sixel, synchronized frames, grapheme clusters")
  func foot() {
    let (probe, _) = probe(
      ["TERM": "foot", "COLORTERM": "truecolor"],
      "\u{1b}P>|foot(1.13.1)\u{1b}\\\u{1b}[6;20;10t\u{1b}[?2026;2$y\u{1b}[?2027;1$y"
        + "\u{1b}[?0u\u{1b}[?62;4;22c")
    let found = probe.capabilities
    #expect(found.images == .sixel)
    #expect(found.synchronizedOutput && found.kittyKeyboard && found.graphemeClusters)
  }

  @Test("WezTerm: images of iTerm2")
  func wezTerm() {
    let (probe, _) = probe(
      ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"],
      "\u{1b}P>|WezTerm 20240203\u{1b}\\\u{1b}[?65;4;6;18;22c")
    #expect(probe.capabilities.images == .iTerm2)
  }

  @Test("tmux without passthrough: characters, and no setting is changed")
  func tmux() {
    let (probe, asked) = probe(
      ["TERM": "screen-256color", "TMUX": "/run/tmux,1,0"],
      "\u{1b}P>|tmux 3.3a\u{1b}\\\u{1b}[?1;2;4c")
    // DA1 of tmux may name sixel; in tmux it is not used.
    #expect(probe.capabilities.images == .symbols)
    #expect(probe.capabilities.isTmux)
    #expect(probe.capabilities.colours == .trueColour)
    // All that is tried is a question through tmux, which it may drop.
    #expect(
      String(decoding: asked, as: UTF8.self)
        == "\u{1b}Ptmux;\u{1b}\u{1b}_Gi=31,s=1,v=1,a=q,U=1,t=d,f=24;AAAA\u{1b}\u{1b}\\\u{1b}\\"
        + "\u{1b}Ptmux;\u{1b}\u{1b}]11;?\u{1b}\u{1b}\\\u{1b}\\")
  }

  @Test("tmux with passthrough to kitty: placeholders after the reply, also if it is late")
  func tmuxInKitty() {
    var (probe, _) = probe(
      ["TERM": "tmux-256color", "TMUX": "/run/tmux,1,0"],
      "\u{1b}P>|tmux 3.3a\u{1b}\\\u{1b}[?1;2c")
    #expect(probe.capabilities.images == .symbols)
    _ = probe.receive(.graphics(image: 31, message: "OK"))
    #expect(probe.capabilities.images == .kittyPlaceholders)
  }

  @Test("screen: characters in any terminal")
  func screen() {
    let (probe, _) = probe(
      ["TERM": "screen", "STY": "1.pts"], "\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[?1;2;4c")
    #expect(probe.capabilities.images == .symbols)
    #expect(probe.capabilities.colours == .ansi16)
  }

  @Test("a terminal that does not reply is identified by its name")
  func silence() {
    let (probe, asked) = probe(["TERM": "xterm-256color"], "")
    #expect(!probe.isComplete && asked.isEmpty)
    #expect(probe.capabilities.images == .symbols)
    #expect(probe.capabilities.colours == .palette256)
    #expect(probe.capabilities.cellPixels == PixelSize(10, 20))
    #expect(!probe.capabilities.knowsCellPixels)
  }

  @Test(
    "NO_COLOR is obeyed in any terminal, and images stay",
    arguments: ["kitty(1)", "tmux 3.4"])
  func noColour(name: String) {
    let (probe, _) = probe(
      ["TERM": "xterm-256color", "NO_COLOR": "1", "COLORTERM": "truecolor"],
      "\u{1b}P>|\(name)\u{1b}\\\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[?62c")
    #expect(probe.capabilities.colours == .none)
    #expect(probe.capabilities.images != .symbols)
  }

  @Test("an empty NO_COLOR has no effect")
  func emptyNoColour() {
    let (probe, _) = probe(["TERM": "xterm-256color", "NO_COLOR": ""], "\u{1b}[?62c")
    #expect(probe.capabilities.colours == .palette256)
  }

  @Test("without a UTF-8 locale only ASCII is written; the first variable that is set decides")
  func locale() {
    let (latin, _) = probe(["TERM": "xterm", "LANG": "de_DE.ISO-8859-1"], "\u{1b}[?62c")
    #expect(!latin.capabilities.unicode)
    #expect(latin.capabilities.images == .ascii)
    let (overridden, _) = probe(["TERM": "xterm", "LC_ALL": "C.utf8", "LANG": "C"], "\u{1b}[?62c")
    #expect(overridden.capabilities.unicode)
  }

  @Test("the background is the one that the terminal reports, in any notation, also if it is late")
  func background() {
    for (answer, colour) in [
      ("rgb:ffff/ffff/ffff\u{1b}\\", 0xff_ffff), ("rgb:fd/f6/e3\u{7}", 0xfd_f6e3),
      ("rgb:f/0/8\u{7}", 0xff_0088), ("rgba:ffff/eeee/dddd/8000\u{1b}\\", 0xff_eedd),
    ] {
      let (before, _) = probe(["TERM": "xterm"], "\u{1b}]11;\(answer)\u{1b}[?62c")
      #expect(before.capabilities.background == .rgb(UInt32(colour)), "\(answer)")
      let (late, _) = probe(["TERM": "xterm"], "\u{1b}[?62c\u{1b}]11;\(answer)")
      #expect(late.capabilities.background == .rgb(UInt32(colour)), "\(answer), late")
    }
  }

  @Test(
    "a reply that is not a color is ignored, and a later one is used",
    arguments: [
      "", "?", "rgb:", "rgb:1/2", "rgb:gg/00/00", "rgb:12345/0/0", "rgb:-1/0/0", "rgb:+1/0/0",
      "#ffffff", "white", "rgb:\u{fffd}/0/0", String(repeating: "f", count: 100_000),
    ])
  func noBackground(answer: String) {
    let (probe, _) = probe(
      ["TERM": "xterm"], "\u{1b}]11;\(answer)\u{1b}\\\u{1b}[6;20;10t\u{1b}[?62c")
    #expect(probe.capabilities.background.isDefault)
    #expect(probe.isComplete && probe.capabilities.cellPixels == PixelSize(10, 20))
    #expect(probe.capabilities.knowsCellPixels)
  }

  @Test("in tmux the outer terminal reports the background")
  func backgroundAroundTmux() {
    var (probe, asked) = probe(
      ["TERM": "tmux-256color", "TMUX": "/run/tmux,1,0"],
      "\u{1b}P>|tmux 3.3a\u{1b}\\\u{1b}[?1;2c")
    #expect(String(decoding: asked, as: UTF8.self).contains("\u{1b}]11;?"))
    #expect(probe.capabilities.background.isDefault)
    _ = probe.receive(.background(.rgb(0xfd_f6e3)))
    #expect(probe.capabilities.background == .rgb(0xfd_f6e3))
  }

  @Test(
    "if a terminal does not report it, the environment may",
    arguments: [
      ("0;15", 15), ("15;default;0", 0), ("7;8", 8), ("15;default", nil), ("15", nil), ("", nil),
      ("0;16", nil), ("0;-1", nil), (";;", nil),
    ])
  func backgroundInEnvironment(value: String, index: UInt8?) {
    let environment = ["TERM": "rxvt", "COLORFGBG": value]
    let wanted = index.map { Colour.palette($0) } ?? .default
    #expect(probe(environment, "\u{1b}[?62c").probe.capabilities.background == wanted)
    // What the terminal says itself counts more.
    let (told, _) = probe(environment, "\u{1b}]11;rgb:10/20/30\u{7}\u{1b}[?62c")
    #expect(told.capabilities.background == .rgb(0x10_2030))
  }

  @Test("all queries are sent at once and DA1 last, so that its reply ends the wait")
  func questions() {
    let questions = String(
      decoding: CapabilityProbe(environment: [:]).queries, as: UTF8.self)
    #expect(questions.hasPrefix("\u{1b}[>0q"))
    #expect(questions.hasSuffix("\u{1b}[c"))
    for part in ["\u{1b}_Gi=31", "\u{1b}[16t", "\u{1b}[?2026$p", "\u{1b}[?u", "\u{1b}]11;?"] {
      #expect(questions.contains(part))
    }
  }
}
