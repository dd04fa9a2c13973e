public import Manifests
public import Models

/// What to add, as a user names it.
public struct SourceRequest: Sendable, Equatable {
  public enum Location: Sendable, Equatable {
    case url(HTTPURL)
    /// Absolute path.
    case file(String)
    /// Standard input, spooled by the caller into this file.
    case standardInput(spool: String)
  }

  public var location: Location
  /// nil means recognised by content.
  public var format: ManifestFormat?
  /// Always append, never continue.
  public var again: Bool
  /// Its resources are fetched when a viewer looks at them (LZ2), its further pages on demand (RM8).
  public var isLazy: Bool
  /// The template for the names of the source's resources; nil means names come from the list and the URLs.
  /// Not kept for a later refresh.
  public var naming: NameTemplate?
  /// For a command that adds several sources: `AddResult.began` of its first one. What was requested
  /// after that moment answers the resources of this source without another request, since a list
  /// that is read a second later means the same files. nil means the moment at which this add begins.
  public var since: ResourceID?

  /// The engine reads the source to its end even if the client that asked for it leaves meanwhile. Otherwise
  /// a client that leaves takes its request back.
  public var outlivesClient: Bool

  public init(
    location: Location, format: ManifestFormat? = nil, again: Bool = false, isLazy: Bool = false,
    naming: NameTemplate? = nil, since: ResourceID? = nil, outlivesClient: Bool = false
  ) {
    self.location = location
    self.format = format
    self.again = again
    self.isLazy = isLazy
    self.naming = naming
    self.since = since
    self.outlivesClient = outlivesClient
  }

  /// As people call it.
  public var name: String {
    switch location {
    case .url(let url): url.description
    case .file(let path): path
    case .standardInput: "standard input"
    }
  }
}

extension SourceRequest {
  /// The same source as the base of a series; nil if a format is forced, or the URL names a file or a list of
  /// slices itself.
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

/// What came of an `add`.
public struct AddResult: Sendable, Equatable {
  public enum Outcome: Sendable, Equatable {
    case appended
    /// An interrupted add of the same source continues.
    case continued
    /// Only failures remain of an earlier add: `retry` is what helps.
    case onlyFailuresRemain
  }

  public var outcome: Outcome
  public var records: [RecordID]
  public var entryCount: Int
  /// Entries that cannot be used, as sentences; the first `AddResult.problemLimit` of them.
  public var problems: [String]
  public var problemCount: Int
  /// When the add began, as the newest resource that the library had then.
  public var began: ResourceID

  /// How many problems are kept word by word.
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
