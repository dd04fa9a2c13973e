import CommandLine

/// The command line of `imgdl-tui`, described by value.
enum CommandDescription {
  static let version = "0.1.0"

  static let root = Command(
    "imgdl-tui", "Look at image collections, and download them.",
    discussion: """
      Shows the records of a library, their images, and the images themselves. Press ? for the keys \
      of each screen.

      imgdld downloads; it is started if no engine works for the library, and goes on when this \
      program ends. With --set background=off this program downloads by itself. With \
      --set source.pages=on-demand further pages of a source are loaded when the end of its record \
      comes near.
      """,
    version: version,
    options: [
      .value("library", short: "d", "DIR", .directory, "The library's folder."),
      .value("set", "KEY=VALUE", .text, "Change a setting.", isRepeatable: true),
      .flag("plain", "Lines instead of a screen, for screen readers; type help."),
      .flag("no-mouse", "Leave the mouse to the terminal."),
      .value(
        "pictures", "HOW",
        .choice(["kitty", "kitty-placeholders", "iterm2", "sixel", "symbols", "ascii", "none"]),
        "How pictures are shown; by default the best way that the terminal knows."),
    ],
    examples: [
      .init("imgdl-tui", "the usual library"),
      .init("imgdl-tui -d pictures", "the library in ./pictures"),
      .init("imgdl-tui --set tui.theme=light", "colours for a light background"),
    ])
}
