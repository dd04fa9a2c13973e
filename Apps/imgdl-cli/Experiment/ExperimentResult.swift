/// The result of an experiment, which the table, the JSON file and the HTML page show.
struct ExperimentResult: Sendable {
  /// The values of one measure in all measured runs of one combination.
  struct Row: Sendable, Equatable {
    let combination: String
    let spread: MedianRange
    /// The median divided by the first combination's median; nil if that median is 0 or missing.
    let ratio: Double?
  }

  /// The command line, quoted for a shell.
  let command: String
  let machine: MeasuringMachine
  let combinations: [Combination]
  /// The measurements of all runs, warm-ups included.
  let runs: [Measurement]
  /// The differences between the files of the runs, as sentences. A difference makes the runs incomparable.
  let differences: [String]

  var repetitions: Int { runs.map(\.repetition).max() ?? 0 }

  /// Returns a row for each combination that has measured runs.
  func rows(_ measure: Measure) -> [Row] {
    let spreads = combinations.indices.map { index in
      MedianRange(
        runs.filter { $0.combination == index && !$0.isWarmup }.map(measure.value(of:)))
    }
    return zip(combinations, spreads).compactMap { combination, spread in
      guard let spread else { return nil }
      let first = spreads.first.flatMap { $0?.median } ?? 0
      return Row(
        combination: combination.label, spread: spread,
        ratio: first > 0 ? spread.median / first : nil)
    }
  }
}

/// The machine of the experiment, described without personal data.
struct MeasuringMachine: Sendable, Equatable, Encodable {
  var processors: Int
  var kernel: String
  var program: String

  var sentence: String {
    "\(processors) processor\(processors == 1 ? "" : "s"), Linux \(kernel), imgdl-cli \(program)"
  }
}
