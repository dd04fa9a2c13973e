import CommandLine
import Models

/// What is changed while it runs, from this terminal or another one.
extension CommandDescription {
  static let pause = Command(
    "pause", "Stop downloading, until resume.",
    discussion: """
      Stops the whole library or one record at once, in whatever terminal it is downloaded. What has \
      arrived is kept: resume goes on from the byte where it stopped. A pause lasts until it is \
      lifted, also over restarts.
      """,
    arguments: [optionalRecord])

  static let resume = Command(
    "resume", "Go on with what was paused or interrupted.",
    discussion: """
      Without RECORD, lifts every pause and downloads everything that is unfinished.
      """,
    arguments: [optionalRecord], options: [events, noProgress, failedTo], groups: [how])

  static let cancel = Command(
    "cancel", "Give up what a record still lacks.",
    discussion: """
      What is there stays; partial files are deleted. Retry brings back what was given up.
      """,
    arguments: [recordArgument])

  static let retry = Command(
    "retry", "Download exactly what failed.", arguments: [optionalRecord],
    options: [events, noProgress, failedTo], groups: [how])

  static let reload = Command(
    "reload", "Download all of a record again, whatever is there.",
    discussion: "Each old file stays until the new one is complete.",
    arguments: [recordArgument], options: [events, noProgress, failedTo], groups: [how])

  static let refresh = Command(
    "refresh", "Read a source again; put what is new at the top.",
    discussion: "What was there is left as it is. An unchanged source costs one short request.",
    arguments: [
      Argument("RECORD", .one, .text, "A record of the source, or the source's URL or file.")
    ],
    options: [events, noProgress, failedTo], groups: [how])

  static let more = Command(
    "more", "Read the next page of a record's source.", arguments: [recordArgument],
    options: [events, noProgress, failedTo], groups: [how])

  static let priority = Command(
    "priority", "Say which record is downloaded first.",
    arguments: [
      recordArgument,
      Argument("PRIORITY", .one, .choice(RecordPriority.names), "Equal ones go in order."),
    ])

  static let concurrency = Command(
    "concurrency", "Show or change how many transfers there are at the same time.",
    discussion: """
      Works at once, also on downloads in another terminal, and is kept in the library. When it is \
      lowered, transfers that run are finished.
      """,
    arguments: [Argument("N", .optional, .integer(1...1_024), "From now on.")])

  static let perHost = Command(
    "per-host", "Show or change how many transfers from one host there are at the same time.",
    discussion: "A host that is overloaded gets fewer for a while.",
    arguments: [Argument("N", .optional, .integer(1...1_024), "From now on.")])
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
