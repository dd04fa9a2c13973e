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
  /// The format of the source; nil means recognised by content.
  public var format: ManifestFormat?
  /// Whether to append the source again, even if an earlier add of it could be continued.
  public var again: Bool
  /// Whether the source is lazy: its resources are downloaded when they are visible in a viewer (LZ2), and
  /// its further pages are read on demand (RM8).
  public var isLazy: Bool
  /// The template for the names of the source's resources; nil means that names come from the list and the
  /// URLs. A later refresh does not use it.
  public var naming: NameTemplate?
  /// The `AddResult.began` of the first source of a command that adds several. Files requested after that
  /// moment answer resources of this source without another request, since a list that is read a second later
  /// means the same files. nil means the moment at which this add begins.
  public var since: ResourceID?

  /// Whether the engine reads the source to its end even if the requesting client disconnects. Otherwise the
  /// disconnection cancels the request.
  public var outlivesClient: Bool
  /// The name of a file that the caller received from somewhere else, which its path does not tell; nil means
  /// the location itself.
  public var displayName: String?

  public init(
    location: Location, format: ManifestFormat? = nil, again: Bool = false, isLazy: Bool = false,
    naming: NameTemplate? = nil, since: ResourceID? = nil, outlivesClient: Bool = false,
    displayName: String? = nil
  ) {
    self.location = location
    self.format = format
    self.again = again
    self.isLazy = isLazy
    self.naming = naming
    self.since = since
    self.outlivesClient = outlivesClient
    self.displayName = displayName
  }

  /// The name of the source for display.
  public var name: String {
    if let displayName { return displayName }
    return switch location {
    case .url(let url): url.description
    case .file(let path): path
    case .standardInput: "standard input"
    }
  }
}

extension SourceRequest {
  /// This request for the same URL as the base of a series; nil if a format is forced, or if the URL itself
  /// names a file or a list of slices.
  package var asSeries: SourceRequest? {
    guard format == nil, case .url(let url) = location, !url.path.hasSuffix("/series"),
      !url.namesFile
    else { return nil }
    var series = self
    series.format = .series
    return series
  }
}

extension HTTPURL {
  /// Whether the path ends in a name with an extension, as in `birds.json`; `v1.0` has none.
  fileprivate var namesFile: Bool {
    let parts = lastPathComponent.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 && parts.last?.first?.isLetter == true
  }
}

/// The result of an `add`.
public struct AddResult: Sendable, Equatable {
  public enum Outcome: Sendable, Equatable {
    case appended
    /// The add continued an interrupted add of the same source.
    case continued
    /// An earlier add left only failures, which `retry` queues again.
    case onlyFailuresRemain
  }

  public var outcome: Outcome
  public var records: [RecordID]
  public var entryCount: Int
  /// One sentence for each entry that cannot be used, at most `AddResult.problemLimit`.
  public var problems: [String]
  public var problemCount: Int
  /// The newest resource of the library when the add began, which identifies that moment.
  public var began: ResourceID

  /// The maximum number of problems kept in `problems`.
  public static let problemLimit = 1_000

  public init(
    outcome: Outcome, records: [RecordID] = [], entryCount: Int = 0, problems: [String] = [],
    problemCount: Int = 0, began: ResourceID = ResourceID(0)
  ) {
    self.began = began
    self.outcome = outcome
    self.records = records
    self.entryCount = entryCount
    self.problems = problems
    self.problemCount = problemCount
  }
}
