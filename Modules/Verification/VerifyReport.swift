public import Models
public import Persistence

/// The result of verifying all files of a library.
public struct VerifyReport: Sendable, Equatable {
  /// The number of files compared with the store, including those with problems.
  public var files = 0
  /// The number of bytes that were read to compare digests.
  public var bytes: Int64 = 0
  public var missing = 0
  /// The number of files with wrong or unreadable contents; each hard link of such a file is counted.
  public var damaged = 0
  /// The number of paths that lead to something other than a regular file.
  public var notAFile = 0
  /// The number of files that the user may not read, or that are behind a symbolic link. `verify` does not
  /// repair them.
  public var unreadable = 0
  /// The number of files in the cache of renditions that are not whole. They are made again when they are needed.
  public var renditions = 0
  /// The number of resources queued for another download.
  public var requeued = 0
  /// The number of resources that were queued for download when the verification started, for instance by an
  /// earlier one, and therefore have no file.
  public var undownloaded = 0
  /// The problems that the store's own integrity check reports.
  public var storeProblems: [String] = []

  public init() {}

  public var problems: Int { missing + damaged + notAFile + unreadable + renditions }
  public var isSound: Bool { problems == 0 && storeProblems.isEmpty }

  mutating func count(_ finding: VerifyFinding) {
    switch finding.problem {
    case .missing: missing += 1
    case .notAFile: notAFile += 1
    case .rendition: renditions += 1
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
  /// Other resources whose files are hard links of this file, and therefore damaged, too.
  public var duplicates: [ExistingFile] = []
  /// Whether the file and its duplicates will be downloaded again.
  public var isRequeued = false
  /// Whether the damaged file was deleted from the cache of renditions.
  public var isRemovedFromCache = false
  /// Whether the row of the file was removed because no record owns it; the next `fetch` downloads the file.
  public var isRemovedFromStore = false
  /// The path to which a folder with the file's name was renamed; nil if there was none.
  public var setAside: String?

  /// The problem in one sentence, without the path.
  public var reason: String {
    resource.file.map { problem.reason(expecting: $0) } ?? "the file is missing"
  }
}

/// The progress of a verification.
public struct VerifyProgress: Sendable, Equatable {
  public var files = 0
  /// The number of files at the start of the verification.
  public var totalFiles = 0
  /// The number of bytes read so far.
  public var bytes: Int64 = 0
  public var totalBytes: Int64 = 0

  public init() {}
}
