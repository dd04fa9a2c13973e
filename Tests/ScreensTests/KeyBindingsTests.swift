import Foundation
import Testing

@testable import Screens

@Suite("The key table")
struct KeyBindingsTests {
  @Test("every command has a key and a line of help")
  func complete() {
    for command in Command.allCases {
      let bindings = KeyBindings.all.filter { $0.command == command }
      #expect(!bindings.isEmpty, "\(command)")
      #expect(bindings.allSatisfy { !$0.help.isEmpty && !$0.strokes.isEmpty })
    }
  }

  @Test("no key has two meanings in one place", arguments: ScreenKind.allCases)
  func unambiguous(_ place: ScreenKind) {
    var seen: [KeyStroke: Command] = [:]
    for binding in KeyBindings.bindings(in: place) {
      for stroke in binding.strokes {
        #expect(seen[stroke] == nil, "\(stroke.label) in \(place)")
        seen[stroke] = binding.command
        #expect(KeyBindings.command(for: stroke, in: place) == binding.command)
      }
    }
  }

  @Test(
    "every place has help, a way back, and movement by arrows and letters",
    arguments: ScreenKind.allCases)
  func everywhere(_ place: ScreenKind) {
    #expect(KeyBindings.command(for: "?", in: place) == .help)
    #expect(KeyBindings.command(for: "escape", in: place) == .back)
    #expect(KeyBindings.command(for: "^c", in: place) == .quit)
    #expect(KeyBindings.command(for: "down", in: place) == .down)
    #expect(KeyBindings.command(for: "j", in: place) == .down)
  }

  @Test(
    "help shows only the keys of the place, and scrolls if needed",
    arguments: ScreenKind.allCases)
  func help(_ place: ScreenKind) {
    let lines = HelpText.lines(place)
    for binding in KeyBindings.bindings(in: place) {
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

  @Test("the help uses standard names, in sentences")
  func words() {
    let texts = Set(KeyBindings.all.map(\.help))
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

  @Test("the screen can be drawn after any sequence of keys", arguments: ScreenKind.allCases)
  func everyKey(_ place: ScreenKind) {
    for binding in KeyBindings.bindings(in: place) {
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

/// The key table as a script of the web page (`Modules/WebPage/Files/keys.js`), which has the same keys as the
/// terminal, except Tab and those with Control, which browsers use themselves. With `IMGDL_GOLDEN=write` in the environment it is written anew.
@Suite("The keys of the web page")
struct WebKeyTests {
  private static var path: String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return tests.path + "/../../Modules/WebPage/Files/keys.js"
  }

  private struct Binding: Encodable {
    let command: String
    let keys: [String]
    let places: [String]
    let help: String
  }

  /// The commands that only a terminal has.
  private static let ofTerminals: Set<String> = ["quit", "suspend", "redraw"]

  private static func script() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try KeyBindings.all.compactMap { binding -> String? in
      let keys = binding.strokes.map(\.literal).filter { $0 != "tab" && !$0.hasPrefix("^") }
      guard !keys.isEmpty, !ofTerminals.contains(binding.command.rawValue) else { return nil }
      let value = Binding(
        command: binding.command.rawValue, keys: keys,
        places: ScreenKind.allCases.filter(binding.places.contains).map(\.rawValue),
        help: binding.help)
      return "  " + String(decoding: try encoder.encode(value), as: UTF8.self) + ","
    }
    return """
      // The key table of all programs (`KeyBindings`); written by the tests of the terminal's screens.

      export const bindings = [
      \(lines.joined(separator: "\n"))
      ];

      """
  }

  @Test("are those of the key table")
  func same() throws {
    let script = try Self.script()
    if ProcessInfo.processInfo.environment["IMGDL_GOLDEN"] == "write" {
      return try script.write(toFile: Self.path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: Self.path, encoding: .utf8) == script)
  }
}

extension KeyStroke {
  /// The text from which the literal of a key table makes the key.
  fileprivate var literal: String {
    switch key {
    case .character(let character): (hasControl ? "^" : "") + String(character)
    case .function(let number): "f\(number)"
    default: "\(key)".lowercased()
    }
  }
}
