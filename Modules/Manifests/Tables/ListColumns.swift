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

  public var isEmpty: Bool { self == ListColumns() }
}
