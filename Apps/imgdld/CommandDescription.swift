import CommandLine
import Models

/// The description of the command line of `imgdld`: its options and help text.
enum CommandDescription {
  static let version = "0.1.0"

  static let root = Command(
    "imgdld", "Download in the background.",
    discussion: """
      Completes the unfinished downloads of a library and downloads the records that are added to \
      it. imgdl-cli and imgdl-tui connect to it through its socket while it runs.

      Without --foreground, imgdld starts a background process and exits when that process accepts \
      connections.

      SIGTERM stops it within 5 seconds; downloads in progress can be resumed. SIGHUP reloads the \
      settings.
      """,
    version: version,
    options: [
      .value("library", short: "d", "DIR", .directory, "Folder of the library."),
      .value(
        "socket", "PATH", .file,
        "Path of the socket; default: the path where imgdl-cli and imgdl-tui expect it."),
      .value(
        "listen", "ADDRESS:PORT", .text,
        "Serve the web page at this loopback address for this run; see imgdl-cli web."),
      .flag("foreground", "Do not detach, and log to standard error."),
      .value("set", "KEY=VALUE", .text, "Override a setting.", isRepeatable: true),
      .value(
        "ready", "FD", .integer(3...1_023),
        "Writes to this file descriptor when it accepts connections.", isHidden: true),
    ],
    examples: [
      .init("imgdld", "download for the default library, in the background"),
      .init(
        "imgdld --foreground -d pictures", "download for the library ./pictures, in this terminal"),
      .init("imgdl-cli daemon stop", "stop imgdld"),
    ])
}
