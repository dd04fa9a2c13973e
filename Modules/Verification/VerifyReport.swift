public import Models
public import Persistence

/// What came of looking at all files of a library.
public struct VerifyReport: Sendable, Equatable {
  /// Files that were held against the store, those with problems among them.
  public var files = 0
  /// Bytes that were read.
  public var bytes: Int64 = 0
  public var missing = 0
  /// Other bytes than those that were downloaded, other names of such a file among them.
  public var damaged = 0
  /// Something else has the name of the file.
  public var foreign = 0
  /// Files that the user may not read, or that lie behind a symbolic link; nothing is done about them.
  public var unreadable = 0
  /// To be fetched again.
  public var requeued = 0
  /// Resources that had no file to be checked when the check began, because they are still to be
  /// downloaded: those that an earlier check has queued, for instance.
  public var undownloaded = 0
  /// What the store says of itself.
  public var storeProblems: [String] = []

  public init() {}

  public var problems: Int { missing + damaged + foreign + unreadable }
  public var isSound: Bool { problems == 0 && storeProblems.isEmpty }

  mutating func count(_ finding: VerifyFinding) {
    switch finding.problem {
    case .missing: missing += 1
    case .notAFile: foreign += 1
    case let problem where problem.isDamage: damaged += 1 + finding.twins.count
    default: unreadable += 1
    }
    if finding.isRequeued { requeued += 1 + finding.twins.count }
  }
}

/// One file that is not as it should be.
public struct VerifyFinding: Sendable, Equatable {
  public let record: Record
  public let resource: Resource
  /// Absolute.
  public let path: String
  public let problem: FileProblem
  /// Other resources whose files are this same one on the disk and damaged with it.
  public var twins: [ExistingFile] = []
  /// It will be fetched again, its duplicates too.
  public var isRequeued = false
  /// No record owns it: it is fetched again when somebody requests it.
  public var isForgotten = false
  /// Where a folder went that had the file's name.
  public var setAside: String?

  /// One sentence, without the path.
  public var reason: String {
    resource.file.map { problem.reason(expecting: $0) } ?? "the file is missing"
  }
}

/// How far a look at all files is.
public struct VerifyProgress: Sendable, Equatable {
  public var files = 0
  /// Of that many, as far as was known in the beginning.
  public var totalFiles = 0
  /// Bytes that were read.
  public var bytes: Int64 = 0
  public var totalBytes: Int64 = 0

  public init() {}
}
