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
        "restart", "Restart imgdld with the installed program.",
        discussion: """
          After an upgrade, imgdld restarts by itself when it has nothing to do. Downloads in progress \
          continue after the restart.
          """),
      Command(
        "status", "Show whether imgdld is running, and its downloads.",
        discussion:
          "The exit code is 0 if imgdld or another program downloads for the library, otherwise 1.",
        options: [json]),
    ])

  static let web = Command(
    "web", "Open the library in a browser.",
    discussion: """
      Starts imgdld if needed, which serves the page on this machine only, and prints a link that logs \
      a browser in. The link works once, within 60 seconds; the browser stays logged in for 30 days. \
      On a desktop the browser is opened, too.

      The page stays enabled, also after imgdld is restarted, until --stop. To use it from another \
      machine, forward the port: ssh -L 4840:localhost:4840 HOST.
      """,
    options: [
      .value(
        "port", short: "p", "PORT", .integer(1_024...65_535),
        "Port of the page; default: 4840, or a free one if that is taken."),
      .flag("no-open", "Do not open a browser."),
      .flag("token", "Print a Bearer token for scripts instead of a link."),
      .flag("stop", "Disable the page and log all browsers out."),
    ],
    examples: [
      .init("imgdl-cli web", "browse the library in a browser"),
      .init("imgdl-cli web --stop", "disable the page"),
    ])
}
