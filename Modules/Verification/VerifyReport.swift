public import Models
public import Persistence

/// The result of verifying all files of a library.
public struct VerifyReport: Sendable, Equatable {
  /// The number of files compared with the store, including those with problems.
  public var files = 0
  /// The number of bytes read.
  public var bytes: Int64 = 0
  public var missing = 0
  /// The number of files whose contents differ from the download, counted for each name of such a file.
  public var damaged = 0
  /// The number of paths occupied by something other than a file.
  public var foreign = 0
  /// Files that the user may not read, or that lie behind a symbolic link; nothing is done about them.
  public var unreadable = 0
  /// The number of resources queued for another download.
  public var requeued = 0
  /// Resources that had no file to be checked when the check began, because they are still to be
  /// downloaded: those that an earlier check has queued, for instance.
  public var undownloaded = 0
  /// The problems that the store reports about itself.
  public var storeProblems: [String] = []

  public init() {}

  public var problems: Int { missing + damaged + foreign + unreadable }
  public var isSound: Bool { problems == 0 && storeProblems.isEmpty }

  mutating func count(_ finding: VerifyFinding) {
    switch finding.problem {
    case .missing: missing += 1
    case .notAFile: foreign += 1
    case let problem where problem.isDamage: damaged += 1 + finding.duplicates.count
    default: unreadable += 1
    }
    if finding.isRequeued { requeued += 1 + finding.duplicates.count }
  }
}

/// A file with a problem.
public struct VerifyFinding: Sendable, Equatable {
  public let record: Record
  public let resource: Resource
  /// The absolute path of the file.
  public let path: String
  public let problem: FileProblem
  /// Other resources whose files are this same one on the disk and damaged with it.
  public var duplicates: [ExistingFile] = []
  /// Whether the file and its duplicates will be downloaded again.
  public var isRequeued = false
  /// No record owns the file: it is downloaded again when a client requests it.
  public var isForgotten = false
  /// The path to which a folder of the file's name was moved, or nil.
  public var setAside: String?

  /// One sentence, without the path.
  public var reason: String {
    resource.file.map { problem.reason(expecting: $0) } ?? "the file is missing"
  }
}

/// The progress of a verification.
public struct VerifyProgress: Sendable, Equatable {
  public var files = 0
  /// The total numbers, as known at the beginning.
  public var totalFiles = 0
  /// The number of bytes read.
  public var bytes: Int64 = 0
  public var totalBytes: Int64 = 0

  public init() {}
}
