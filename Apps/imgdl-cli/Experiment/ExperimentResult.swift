/// Everything that an experiment found: what table, file and page are made of.
struct ExperimentResult: Sendable {
  /// One combination's figures of one measure.
  struct Row: Sendable, Equatable {
    let combination: String
    let spread: SampleRange
    /// Median over that of the first combination; nil where that is 0 or missing.
    let ratio: Double?
  }

  /// As it can be typed again.
  let command: String
  let machine: MeasuringMachine
  let combinations: [Combination]
  /// Warm-ups too.
  let runs: [Measurement]
  /// What made the runs incomparable, in sentences.
  let differences: [String]

  var repetitions: Int { runs.map(\.repetition).max() ?? 0 }

  /// A row for each combination that has run.
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

/// Where it was measured, in words that name nobody.
struct MeasuringMachine: Sendable, Equatable, Encodable {
  var processors: Int
  var kernel: String
  var program: String

  var sentence: String {
    "\(processors) processor\(processors == 1 ? "" : "s"), Linux \(kernel), imgdl-cli \(program)"
  }
}
