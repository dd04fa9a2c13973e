import Testing

@testable import Screens

@Suite("The key table")
struct KeyTableTests {
  @Test("every command has a key and a line of help somewhere")
  func complete() {
    for command in Command.allCases {
      let bindings = KeyTable.all.filter { $0.command == command }
      #expect(!bindings.isEmpty, "\(command)")
      #expect(bindings.allSatisfy { !$0.help.isEmpty && !$0.strokes.isEmpty })
    }
  }

  @Test("no key means two things in one place", arguments: ScreenKind.allCases)
  func unambiguous(_ place: ScreenKind) {
    var seen: [KeyStroke: Command] = [:]
    for binding in KeyTable.bindings(in: place) {
      for stroke in binding.strokes {
        #expect(seen[stroke] == nil, "\(stroke.label) in \(place)")
        seen[stroke] = binding.command
        #expect(KeyTable.command(for: stroke, in: place) == binding.command)
      }
    }
  }

  @Test(
    "every place has help, a way back, and movement by arrows and letters",
    arguments: ScreenKind.allCases)
  func everywhere(_ place: ScreenKind) {
    #expect(KeyTable.command(for: "?", in: place) == .help)
    #expect(KeyTable.command(for: "escape", in: place) == .back)
    #expect(KeyTable.command(for: "^c", in: place) == .quit)
    #expect(KeyTable.command(for: "down", in: place) == .down)
    #expect(KeyTable.command(for: "j", in: place) == .down)
  }

  @Test(
    "help shows each key of the place and nothing else, and scrolls where it must",
    arguments: ScreenKind.allCases)
  func help(_ place: ScreenKind) {
    let lines = HelpText.lines(place)
    for binding in KeyTable.bindings(in: place) {
      #expect(lines.contains { $0.text == binding.help })
    }
    var stage = Self.stage(in: place, 40, 12)
    #expect(stage.state.screenKind == place)
    stage.press("?")
    var seen = stage.text
    // A text may take several rows.
    for _ in 0..<(lines.count * 3) {
      stage.press("down")
      seen += stage.text
    }
    for word in lines.flatMap({ $0.text.split(separator: " ") }) {
      #expect(seen.contains(word), "\(word)")
    }
    stage.press("z")
    #expect(stage.state.dialog == nil)
  }

  @Test("the help calls things by their names, in sentences")
  func words() {
    let texts = Set(KeyTable.all.map(\.help))
    for text in [
      "Retry what failed", "Reverse the order", "Invert light and dark", "Rotate clockwise",
      "Page up; in a series, 10 % back",
    ] {
      #expect(texts.contains(text), "\(text)")
    }
    for text in texts {
      #expect(text.first?.isUppercase == true || text.first?.isNumber == true, "\(text)")
      #expect(text.last != ".", "\(text)")
    }
  }

  @Test("whatever is pressed wherever, the screen can be drawn", arguments: ScreenKind.allCases)
  func everyKey(_ place: ScreenKind) {
    for binding in KeyTable.bindings(in: place) {
      for stroke in binding.strokes {
        var stage = Self.stage(in: place, 80, 24)
        stage.press(stroke)
        #expect(!stage.text.isEmpty, "\(stroke.label)")
      }
    }
  }

  static func stage(in place: ScreenKind, _ columns: Int, _ rows: Int) -> Stage {
    var stage = Stage(columns, rows)
    stage.library.records = [
      FakeRows.record(1, "Birds", total: 30, finished: 30, isSeries: place == .slices)
    ]
    var all = LibraryChange()
    all.isEverything = true
    stage.send(.changed(all))
    switch place {
    case .records: break
    case .resources, .slices: stage.press("enter")
    case .details: stage.press("enter", "i")
    case .viewer: stage.press("enter", "enter")
    }
    return stage
  }
}
