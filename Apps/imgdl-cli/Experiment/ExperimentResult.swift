/// The result of an experiment, from which table, file and page are made.
struct ExperimentResult: Sendable {
  /// The figures of one combination for one measure.
  struct Row: Sendable, Equatable {
    let combination: String
    let spread: SampleRange
    /// The median divided by that of the first combination; nil if that is 0 or missing.
    let ratio: Double?
  }

  /// The command line, as it can be typed again.
  let command: String
  let machine: MeasuringMachine
  let combinations: [Combination]
  /// The measurements of all runs, warm-ups included.
  let runs: [Measurement]
  /// The differences that make the runs incomparable, in sentences.
  let differences: [String]

  var repetitions: Int { runs.map(\.repetition).max() ?? 0 }

  /// Returns a row for each combination that has run.
  func rows(_ measure: Measure) -> [Row] {
    let spreads = combinations.indices.map { index in
      SampleRange(
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
