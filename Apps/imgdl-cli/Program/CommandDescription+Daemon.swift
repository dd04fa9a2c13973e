import CommandLine

/// Commands for imgdld, which downloads in the background.
extension CommandDescription {
  static let daemon = Command(
    "daemon", "Manage imgdld, which downloads in the background.",
    discussion: """
      While imgdld runs for a library, all other commands for this library connect to it.
      """,
    subcommands: [
      Command(
        "start", "Start imgdld in the background.",
        discussion: "Prints the address of its socket. Unfinished downloads are resumed at once.",
        groups: [how]),
      Command(
        "stop", "Stop imgdld.",
        discussion: "Downloads in progress are kept and can be resumed."),
      Command(
        "status", "Show whether imgdld is running, and its downloads.",
        discussion:
          "The exit code is 0 if imgdld or another program downloads for the library, otherwise 1.",
        options: [json]),
    ])
}
