import CommandLine
import Models

/// The command line of `imgdld`, described by value.
enum CommandDescription {
  static let version = "0.1.0"

  static let root = Command(
    "imgdld", "Work for a library until told to stop.",
    discussion: """
      Downloads what is unfinished in a library and whatever is added to it, whether or not anybody \
      looks. imgdl-cli and imgdl-tui find it by the library and steer it through its socket.

      Without --foreground it starts itself once more, in the background, and returns when that one \
      listens.

      SIGTERM ends it within 5 seconds; everything is kept. SIGHUP makes it read the settings again.
      """,
    version: version,
    options: [
      .value("library", short: "d", "DIR", .directory, "The library's folder."),
      .value("socket", "PATH", .file, "Where to listen; by default where programs look for it."),
      .flag("foreground", "Stay, and write the log to standard error."),
      .value("set", "KEY=VALUE", .text, "Change a setting.", isRepeatable: true),
      .value("ready", "FD", .integer(3...1_023), "Tells this descriptor.", isHidden: true),
    ],
    examples: [
      .init("imgdld", "work for the usual library, in the background"),
      .init("imgdld --foreground -d pictures", "work for ./pictures, in this terminal"),
      .init("imgdl-cli daemon stop", "end it"),
    ])
}
