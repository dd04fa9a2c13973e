import Foundation

/// The output of `--json`, which contains every single run.
struct ExperimentFile: Encodable {
  private struct Trial: Encodable {
    let label: String
    let settings: [String: String]
  }

  private let command: String
  private let machine: MeasuringMachine
  private let combinations: [Trial]
  /// Whether every run left the same files.
  private let identical: Bool
  private let differences: [String]
  private let runs: [Measurement]

  init(_ result: ExperimentResult) {
    command = result.command
    machine = result.machine
    combinations = result.combinations.map { combination in
      Trial(
        label: combination.label,
        settings: Dictionary(
          combination.settings.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }
    identical = result.differences.isEmpty
    differences = result.differences
    runs = result.runs
  }

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}
