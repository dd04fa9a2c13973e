/// The columns of a table of URLs that the user names, each by its name in the header or by its number from 1;
/// nil for columns that are recognised by their usual names.
public struct ListColumns: Sendable, Equatable {
  public var url: String?
  /// The column of the files' names.
  public var name: String?
  /// The column of the records' titles.
  public var title: String?
  public var sha256: String?

  public init(
    url: String? = nil, name: String? = nil, title: String? = nil, sha256: String? = nil
  ) {
    self.url = url
    self.name = name
    self.title = title
    self.sha256 = sha256
  }

  /// The option by which the user names the first of the columns; nil if there are none.
  private var firstOption: String? {
    let options = [
      (url, "--url-column"), (name, "--name-column"), (title, "--title-column"),
      (sha256, "--sha256-column"),
    ]
    return options.first { $0.0 != nil }?.1
  }

  /// Returns the reason why the columns cannot be used with a source that is not a table; nil if there are none.
  public func refusal(by format: ManifestFormat?) -> String? {
    firstOption.map {
      "\($0) is for tables (CSV, TSV), but the source is "
        + (format.map { "read as \($0.rawValue)" } ?? "not a table")
    }
  }

  public var isEmpty: Bool { self == ListColumns() }
}
