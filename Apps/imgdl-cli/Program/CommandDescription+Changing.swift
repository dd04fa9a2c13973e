import CommandLine
import Models

/// Commands that control downloads, from this terminal or another one.
extension CommandDescription {
  static let pause = Command(
    "pause", "Pause the downloads of the library or of a record.",
    discussion: """
      Takes effect at once, whichever program downloads. Received data is kept; resume continues at \
      the byte where a download stopped. A pause lasts until resume, also across restarts.
      """,
    arguments: [optionalRecord])

  static let resume = Command(
    "resume", "Resume paused or interrupted downloads.",
    discussion: """
      Without RECORD, resumes all records and completes every unfinished download.
      """,
    arguments: [optionalRecord], options: [events, noProgress, failedTo], groups: [how])

  static let cancel = Command(
    "cancel", "Cancel the remaining downloads of a record.",
    discussion: """
      Downloaded files are kept, partial files are deleted. Use retry to download the rest after all.
      """,
    arguments: [recordArgument])

  static let retry = Command(
    "retry", "Retry failed downloads.",
    discussion: """
      Unfinished downloads continue, too, unless they are paused.
      """,
    arguments: [optionalRecord],
    options: [events, noProgress, failedTo], groups: [how])

  static let reload = Command(
    "reload", "Download all resources of a record again.",
    discussion: "Each file is replaced when its new version is complete.",
    arguments: [recordArgument], options: [events, noProgress, failedTo], groups: [how])

  static let refresh = Command(
    "refresh", "Read a source again and add new records at the top.",
    discussion:
      "Existing records are not changed. The source is not transferred again if it is unchanged.",
    arguments: [
      Argument("RECORD", .optional, .text, "Record of the source, or URL or file of the source.")
    ],
    options: [
      .flag("all", "Read the sources of all records, except for standard input."), events,
      noProgress,
      failedTo,
    ], groups: [how])

  static let more = Command(
    "more", "Load the next page of a record's source.", arguments: [recordArgument],
    options: [events, noProgress, failedTo], groups: [how])

  static let priority = Command(
    "priority", "Set the download priority of a record.",
    arguments: [
      recordArgument,
      Argument(
        "PRIORITY", .one, .choice(RecordPriority.names),
        "Records of equal priority keep their order."),
    ])

  static let concurrency = Command(
    "concurrency", "Show or set the number of simultaneous downloads.",
    discussion: """
      Takes effect at once, also on downloads in another terminal, and is stored in the library. \
      When the number is lowered, downloads in progress are completed.
      """,
    arguments: [Argument("N", .optional, .integer(1...1_024), "New number.")])

  static let perHost = Command(
    "per-host", "Show or set the number of simultaneous downloads per host.",
    discussion: "An overloaded host gets fewer downloads for a while.",
    arguments: [Argument("N", .optional, .integer(1...1_024), "New number.")])

  static let limitRate = Command(
    "limit-rate", "Show or set the limit of the rate of all downloads together.",
    discussion: """
      Takes effect at once, also on downloads in another terminal or in imgdld, and is stored in the \
      library. Without RATE, prints the limit in bytes per second; 0 is no limit. To limit the downloads \
      of one command only, use add --limit-rate.
      """,
    arguments: [
      Argument(
        "RATE", .optional, .text,
        "Bytes per second, such as 500k or 2M; \(noLimit) for no limit.")
    ],
    examples: [
      .init("imgdl-cli limit-rate 2M", "leave bandwidth to others while downloads run"),
      .init("imgdl-cli limit-rate \(noLimit)", "remove the limit"),
    ])

  /// The word for no limit of the rate.
  static let noLimit = "off"
}

extension RecordPriority {
  static let names = allCases.map(\.name)

  var name: String {
    switch self {
    case .low: "low"
    case .normal: "normal"
    case .high: "high"
    }
  }

  init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}
