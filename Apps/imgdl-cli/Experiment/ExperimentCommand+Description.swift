import CommandLine

extension ExperimentCommand {
  static let description = Command(
    "experiment", "Compare settings by running the same job with each of them.",
    discussion: """
      Adds SOURCE with every combination of the --vary values, each time into a new temporary \
      library and in a new process, and prints a table of wall time, processor time, peak memory, \
      bytes, requests and failures: median, minimum, maximum, and the ratio to the first \
      combination. The order is reversed with each repetition, which cancels out a machine that \
      gets slower or faster.

      The temporary libraries are created in $TMPDIR, or else /tmp, and removed after each run. If \
      two runs download different files, the experiment fails, since their times cannot be compared.
      """,
    arguments: [Argument("SOURCE", .one, .file, "URL or file; read by every run.")],
    groups: [
      OptionGroup(
        "Comparison",
        [
          .value(
            "vary", "KEY=A,B", .text, "Setting and values to compare; several are combined.",
            isRepeatable: true),
          .value(
            "repeat", "N", .integer(1...1_000), "Number of measured runs of each combination.",
            default: "5"),
          .value(
            "warmup", "N", .integer(0...100),
            "Number of runs of each combination before the measured ones.",
            default: "1"),
        ]),
      OptionGroup(
        "Download options",
        [
          .value(
            "max-concurrent-downloads", short: "j", "N", .integer(1...1_024),
            "Maximum number of simultaneous downloads."),
          .flag("no-thumbnails", "Do not create thumbnails."),
        ]),
      OptionGroup(
        "Output",
        [
          .value("json", "FILE", .file, "Write all measurements to FILE, as JSON."),
          .value("html", "FILE", .file, "Write a self-contained page with charts to FILE."),
        ]),
    ],
    examples: [
      .init(
        "imgdl-cli experiment list.json --vary adapters.transport=socket,url-session",
        "compare the two transports")
    ])
}
