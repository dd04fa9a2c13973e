import Testing

@Suite("Colours in a terminal") struct ThemeTests {
  /// Whether the title line is drawn for a light background: dark text on something light.
  private static func isLight(_ shown: Window.Shown) -> Bool {
    guard let title = shown.backgrounds.first?.first else { return false }
    return [title >> 16, title >> 8 & 255, title & 255].allSatisfy { $0 > 150 }
  }

  @Test(
    "are those for the terminal's background, or of the setting, and dark if neither is known",
    arguments: [
      ("rgb:ffff/ffff/ffff", nil, true), ("rgb:1010/1313/1717", nil, false), (nil, nil, false),
      ("rgb:zz/1/", nil, false), (nil, "light", true), ("rgb:ffff/ffff/ffff", "dark", false),
      ("rgb:0/0/0", "light", true), ("rgb:fd/f6/e3", "auto", true),
    ] as [(String?, String?, Bool)])
  func choice(colour: String?, setting: String?, isLight: Bool) async throws {
    try await Rig.run { rig in
      let window = try Window(
        rig, arguments: setting.map { ["--set", "tui.theme=\($0)"] } ?? [], colour: colour)
      await window.shows("The library is empty.")
      #expect(Self.isLight(window.shown) == isLight)
      await window.quit()
    }
  }

  @Test("change if the terminal reports its background late")
  func late() async throws {
    try await Rig.run { rig in
      let window = try Window(rig)
      await window.shows("The library is empty.")
      #expect(!Self.isLight(window.shown))
      try window.type("\u{1b}]11;rgb:fdfd/f6f6/e3e3\u{1b}\\")
      await window.shows("a light screen") {
        Self.isLight($0) && $0.contains("The library is empty.")
      }
      await window.quit()
    }
  }

  @Test("an unknown theme is refused before the screen is set up")
  func wrong() async throws {
    try await Rig.run { rig in
      let window = try Window(rig, arguments: ["--set", "tui.theme=blue"])
      await window.shows("tui.theme")
      #expect(await window.ending() == 2)
    }
  }
}
