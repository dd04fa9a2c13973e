/// The forms in which a record's rows leave a library.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// RFC 4180, with a header line.
  case csv
  /// One JSON object a line.
  case jsonl
}
