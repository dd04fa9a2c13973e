import Foundation
import Models
import ProgressTree
import Terminal
import Testing

@testable import Screens

@Suite("Colours")
struct ThemeTests {
  /// Backgrounds that people have: black, xterm's white, and those of schemes in wide use
  /// (Solarized, Gruvbox, Nord, Dracula, One), and the two greys where the schemes meet.
  static let backgrounds: [UInt32] = [
    0x00_0000, 0x10_1317, 0x1e_1e1e, 0x28_2828, 0x00_2b36, 0x2e_3440, 0x28_2a36, 0x30_0a24,
    0xff_ffff, 0xfd_f6e3, 0xfb_f1c7, 0xfa_fafa, 0xee_eeee, 0xff_ffdd, 0x75_7575, 0x76_7676,
  ]

  /// What is left of a bar: a line, not text.
  private static let rest = "─"

  /// The contrast ratio of the Web Content Accessibility Guidelines 2.1.
  private static func contrast(_ one: Colour, _ other: Colour) -> Double {
    func luminance(_ colour: Colour) -> Double {
      guard let (red, green, blue) = colour.components else { return -1 }
      let parts = [red, green, blue].map { part -> Double in
        let value = Double(part) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    let (lighter, darker) = (
      max(luminance(one), luminance(other)), min(luminance(one), luminance(other))
    )
    return (lighter + 0.05) / (darker + 0.05)
  }

  @Test(
    "every ink can be read on every other and on every background",
    arguments: backgrounds, [ColourDepth.trueColour, .palette256, .ansi16])
  func inks(background: UInt32, depth: ColourDepth) {
    let background = Colour.rgb(background)
    let theme = Theme(background: background, depth: depth)
    for ground in TextRole.allCases {
      for ink in TextRole.allCases {
        let style = theme.style(ink, on: ground)
        // In both colours of the terminal, which are its own affair.
        if style.foreground.isDefault, style.background.isDefault { continue }
        #expect(!style.foreground.isDefault, "\(ink) on \(ground)")
        let below = style.background.isDefault ? background : style.background
        let ratio = Self.contrast(
          style.foreground.reduced(to: depth), below.reduced(to: depth))
        #expect(ratio >= (ink == .barEmpty ? 3 : 4.5), "\(ink) on \(ground): \(ratio)")
        #expect(!style.attributes.contains(.dim), "\(ink)")
      }
    }
  }

  @Test("the scheme is that of the background, unless one was chosen")
  func choice() {
    for background in Self.backgrounds {
      let black = Self.contrast(.rgb(0), .rgb(background))
      let isLight = black > Self.contrast(.rgb(0xff_ffff), .rgb(background))
      #expect(Theme(background: .rgb(background)).scheme == (isLight ? .light : .dark))
      for scheme in ColourScheme.allCases {
        #expect(Theme(scheme, background: .rgb(background)).scheme == scheme)
      }
    }
    #expect(Theme().scheme == .dark)
    // Told by mistake: what was chosen counts, and nothing is mixed.
    #expect(Theme(.light, background: .rgb(0)) == Theme(.light))
  }

  @Test("without colours, what steps back is dimmed")
  func colourless() {
    let theme = Theme(depth: .none)
    #expect(theme.style(.faint).attributes.contains(.dim))
    #expect(theme.style(.disabled).attributes.contains(.dim))
    #expect(!theme.style(.text).attributes.contains(.dim))
  }

  // MARK: - Whole screens

  /// Every place with what it can show, by name.
  private static func screens() -> [(name: String, stage: Stage)] {
    var screens: [(name: String, stage: Stage)] = []
    var empty = Stage(80, 24)
    screens.append(("first launch", empty))
    empty.press("a")
    screens.append(("add", empty))
    var rows = ImagesTests.library()
    rows.records += [
      FakeRows.record(2, "Flowers", total: 9, finished: 9),
      FakeRows.record(3, "Insects", total: 9, finished: 4),
      FakeRows.record(4, "Paused", total: 9, isPaused: true),
    ]
    var records = Stage(100, 24, library: rows)
    screens.append(("records", records))
    records.press("down", "down")
    screens.append(("another record", records))
    records.press("/")
    screens.append(("filter", records))
    records.press("escape", "X")
    screens.append(("reset", records))
    records.press("escape", "?")
    screens.append(("help", records))
    records.press("escape")
    records.send(.failed("no such file"))
    screens.append(("error", records))
    records.send(.notice("Added"))
    screens.append(("notice", records))
    records.send(.lost("imgdld has ended"))
    screens.append(("lost", records))
    var images = ImagesTests.stage(80, 24)
    screens.append(("grid", images))
    images.press("right", "right", "right", "m", "left")
    screens.append(("lifted", images))
    images.press("escape", "v")
    screens.append(("list", images))
    images.press("i")
    screens.append(("details", images))
    images.press("down")
    screens.append(("details, another row", images))
    images.press("escape", "enter")
    screens.append(("viewer", images))
    images.press("i")
    screens.append(("information", images))
    var slices = SlicesTests.stage(queued: 100..<192)
    screens.append(("slices", slices))
    SlicesTests.develop(&slices)
    slices.press("i", "end")
    screens.append(("another slice", slices))
    return screens
  }

  @Test(
    "every character of every screen can be read",
    arguments: [0x10_1317, 0xff_ffff, 0xfd_f6e3])
  func characters(background: UInt32) {
    let ground = Colour.rgb(background)
    for (name, stage) in Self.screens() {
      var stage = stage
      stage.send(
        .terminal(.capabilities(Capabilities(colours: .trueColour, background: ground))))
      let buffer = stage.state.draw().buffer
      for row in 0..<buffer.height {
        for column in 0..<buffer.width {
          let cell = buffer[column, row]
          if cell.showsImage || cell.text.allSatisfy({ $0 == " " }) { continue }
          if cell.foreground.isDefault, cell.background.isDefault { continue }
          let below = cell.background.isDefault ? ground : cell.background
          let ratio = Self.contrast(cell.foreground, below)
          #expect(
            !cell.foreground.isDefault && ratio >= (cell.text == Self.rest ? 3 : 4.5),
            "\(name): \(cell.text) at \(column), \(row) has \(ratio)")
        }
      }
    }
  }

  @Test("another background changes the colours of what is shown, and of the selected row, too")
  func change() throws {
    var stage = ImagesTests.stage(80, 24)
    func title() throws -> Cell {
      let place = try #require(stage.find("Birds of Europe"))
      return stage.state.draw().buffer[place.column, place.row]
    }
    let dark = try title()
    stage.send(
      .terminal(
        .capabilities(Capabilities(colours: .trueColour, background: .rgb(0xff_ffff)))))
    let light = try title()
    #expect(dark != light)
    stage.press("escape")
    let place = try #require(stage.find("Birds of Europe"))
    let selected = stage.state.draw().buffer[place.column, place.row]
    #expect(!selected.background.isDefault)
    #expect(Self.contrast(.rgb(0), selected.background) > 12)
    #expect(Self.contrast(selected.foreground, selected.background) >= 7)
  }
}
