import CommandLine

/// The process that works for a library when no terminal does.
extension CommandDescription {
  static let daemon = Command(
    "daemon", "Start, stop or look at imgdld for this library.",
    discussion: """
      imgdld downloads what is unfinished and what is added to it, whether or not anybody looks. All \
      commands find it by the library and are done by it.
      """,
    subcommands: [
      Command(
        "start", "Start it in the background.",
        discussion: "Says where it listens. What is unfinished goes on at once.", groups: [how]),
      Command(
        "stop", "End it.",
        discussion: "Everything is kept; the next engine goes on where it stopped."),
      Command(
        "status", "Show whether it runs and what it does.",
        discussion: "Exit code 0 if an engine runs for the library, else 1.", options: [json]),
    ])
}
