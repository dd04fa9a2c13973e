/// The formats in which the rows of a record can be exported.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// CSV according to RFC 4180, with a header line.
  case csv
  /// One JSON object per line.
  case jsonl
  /// An input file of aria2 (`aria2c --input-file`), which downloads the resources again.
  case aria2
}
