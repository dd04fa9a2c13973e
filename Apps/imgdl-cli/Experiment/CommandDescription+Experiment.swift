import CommandLine

extension CommandDescription {
  static let experiment = Command(
    "experiment", "Run the same job with different settings and compare.",
    discussion: """
      Adds SOURCE with every combination of the values that --vary names, each time into a new \
      temporary library and in a process of its own, and prints one table: wall time, processor \
      time, peak memory, bytes, requests and failures; median, smallest and largest, and the ratio \
      to the first combination. The order turns around with each repetition, so that a machine \
      that gets slower or faster favours nobody.

      The libraries lie in $TMPDIR, else /tmp, and are removed after each run. If two runs leave \
      different files, the experiment says so and fails: its figures compare nothing then.
      """,
    arguments: [Argument("SOURCE", .one, .file, "URL or file; read in every run.")],
    groups: [
      OptionGroup(
        "What is compared",
        [
          .value(
            "vary", "KEY=A,B", .text, "A setting and its values; of several, every combination.",
            isRepeatable: true),
          .value("repeat", "N", .integer(1...1_000), "Runs of each combination.", default: "5"),
          .value(
            "warmup", "N", .integer(0...100), "Runs of each before those, not counted.",
            default: "1"),
        ]),
      OptionGroup(
        "What holds for all",
        [
          .value(
            "max-concurrent-downloads", short: "j", "N", .integer(1...1_024),
            "Transfers at the same time."),
          .flag("no-thumbnails", "Only download."),
        ]),
      OptionGroup(
        "Output",
        [
          .value("json", "FILE", .file, "Write every single measurement."),
          .value("html", "FILE", .file, "Write a page with bars, readable without a network."),
        ]),
    ],
    examples: [
      .init(
        "imgdl-cli experiment list.json --vary adapters.transport=socket,url-session",
        "who fetches faster")
    ])
}
