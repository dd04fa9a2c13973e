/// The forms of a source. The raw values are what `--format` takes.
public enum ManifestFormat: String, Sendable, CaseIterable, Hashable {
  /// An array of URLs or of objects with `url`, `{"name": url}`, or an object whose `items`, `urls`
  /// or `resources` is such an array, with an optional `next`.
  case json
  /// A JSON string or an object with `url` on each line.
  case jsonLines = "json-lines"
  /// A URL on each line, with an optional title behind a tab.
  case text
  /// `{"id": String, "slices": [String]}`, the answer of `GET BASE/series`.
  case series
  /// An archive whose JSON files are one list each.
  case zip
  /// A single image, PDF or archive.
  case resource
}
