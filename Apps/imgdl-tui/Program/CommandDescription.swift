import CommandLine
import Models
import ProgramSupport

/// The description of the command line of `imgdl-tui`, as data for the parser and the help.
enum CommandDescription {
  static let root = Command(
    "imgdl-tui", "Browse and download image collections.",
    discussion: """
      Shows the records of a library, their resources, and images, slices and pages in full size. \
      Press ? for the keys of each screen.

      Downloads run in imgdld, which is started if needed and continues after imgdl-tui exits. With \
      --set background=off, imgdl-tui downloads by itself. With --set source.pages=on-demand, the \
      next page of a source is loaded when you scroll near the end of its record.
      """,
    version: ProgramVersion.text,
    options: [
      .value("library", short: "d", "DIR", .directory, "Folder of the library."),
      .value("set", "KEY=VALUE", .text, "Override a setting.", isRepeatable: true),
      .flag("plain", "Line-based interface for screen readers; type help for its commands."),
      .flag("no-mouse", "Do not use the mouse."),
      .value(
        "images", "METHOD",
        .choice(["kitty", "kitty-placeholders", "iterm2", "sixel", "symbols", "ascii", "none"]),
        "How to show images; default: the best method that the terminal supports."),
      GeneratedText.option,
    ],
    examples: [
      .init("imgdl-tui", "browse the default library"),
      .init("imgdl-tui -d pictures", "browse the library ./pictures"),
      .init("imgdl-tui --set tui.theme=light", "use colors for a light background"),
    ])
}
