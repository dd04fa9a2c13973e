public import Manifests
public import Models

/// A request to add a source.
public struct SourceRequest: Sendable, Equatable {
  public enum Location: Sendable, Equatable {
    case url(HTTPURL)
    /// The absolute path of a file.
    case file(String)
    /// Standard input, which the caller has spooled to this file.
    case standardInput(spool: String)
  }

  public var location: Location
  /// The format of the source; if nil, it is recognised by content.
  public var format: ManifestFormat?
  /// The columns to use, if the source is a table.
  public var columns: ListColumns
  /// Whether to add the source as a new one, even if an earlier, interrupted add of it could be continued.
  public var again: Bool
  /// Whether the source is lazy: its resources are downloaded when they are visible in a viewer (LZ2), and
  /// further pages of the source are read on demand (RM8).
  public var isLazy: Bool
  /// The template for the file names of the source's resources. If nil, the list or the URL determines each
  /// name. A later refresh does not use the template.
  public var naming: NameTemplate?
  /// The `AddResult.began` of the first source, in a command that adds several. Files requested after that
  /// moment are reused for this source without another request, since lists that one command reads seconds
  /// apart mean the same files. nil means the moment at which this add begins.
  public var since: ResourceID?

  /// Whether the engine reads the source to its end even if the requesting client disconnects. Otherwise the
  /// disconnection cancels the request.
  public var outlivesClient: Bool
  /// The name for display of a file that the caller received from elsewhere, such as an upload; nil displays
  /// the location itself.
  public var displayName: String?
  /// The options of the requests for the source and its resources.
  public var options = RequestOptions()

  public init(
    location: Location, format: ManifestFormat? = nil, columns: ListColumns = ListColumns(),
    again: Bool = false, isLazy: Bool = false, naming: NameTemplate? = nil,
    since: ResourceID? = nil, outlivesClient: Bool = false, displayName: String? = nil
  ) {
    self.location = location
    self.format = format
    self.columns = columns
    self.again = again
    self.isLazy = isLazy
    self.naming = naming
    self.since = since
    self.outlivesClient = outlivesClient
    self.displayName = displayName
  }

  /// The name for display of a list that was read from standard input.
  package static let standardInputName = "standard input"

  /// The format and the columns, as the library stores them with the source.
  public var form: SourceForm { SourceForm(format: format, columns: columns) }

  /// The name of the source for display.
  public var name: String {
    if let displayName { return displayName }
    return switch location {
    case .url(let url): url.description
    case .file(let path): path
    case .standardInput: Self.standardInputName
    }
  }
}

extension SourceRequest {
  /// Returns this request with its URL as the base of a series, or nil if a format is forced or the URL
  /// itself names a file or a list of slices.
  package var asSeries: SourceRequest? {
    guard format == nil, columns.isEmpty, case .url(let url) = location,
      !url.path.hasSuffix("/series"),
      !url.namesFile
    else { return nil }
    var series = self
    series.format = .series
    return series
  }
}

extension HTTPURL {
  /// Whether the last path component has an extension that begins with a letter, as in `birds.json` but not
  /// `v1.0`.
  fileprivate var namesFile: Bool {
    let parts = lastPathComponent.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 && parts.last?.first?.isLetter == true
  }
}

/// The result of an `add`.
public struct AddResult: Sendable, Equatable {
  public enum Outcome: Sendable, Equatable {
    case appended
    /// The call continued an interrupted add of the same source.
    case continued
    /// An earlier add of the source is complete except for failed resources, which `retry` queues again.
    case onlyFailuresRemain
  }

  /// Whether a file has the content with which an earlier `add` has read it. If `outcome` is not `.appended`, the
  /// file was not read again.
  public enum FileChange: String, Sendable, CaseIterable {
    /// The file has the same content, or the source is no file of the user.
    case none
    case changed
    /// The content at that time is not known.
    case unknown
  }

  public var outcome: Outcome
  public var fileChange: FileChange
  /// Whether this engine has added the source itself, so that nothing was interrupted if `outcome` is `.continued`.
  public var isUnderWay: Bool
  public var records: [RecordID]
  public var entryCount: Int
  /// One sentence for each entry that cannot be used, at most `AddResult.problemLimit`.
  public var problems: [String]
  public var problemCount: Int
  /// The newest resource of the library at the time the add began; pass it as `SourceRequest.since`.
  public var began: ResourceID

  /// The maximum number of problems kept in `problems`.
  public static let problemLimit = 1_000

  public init(
    outcome: Outcome, fileChange: FileChange = .none, isUnderWay: Bool = false,
    records: [RecordID] = [],
    entryCount: Int = 0, problems: [String] = [], problemCount: Int = 0,
    began: ResourceID = ResourceID(0)
  ) {
    self.fileChange = fileChange
    self.isUnderWay = isUnderWay
    self.began = began
    self.outcome = outcome
    self.records = records
    self.entryCount = entryCount
    self.problems = problems
    self.problemCount = problemCount
  }
}
