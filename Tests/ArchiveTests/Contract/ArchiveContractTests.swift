import Archive
import ArchiveLibarchive
import ArchiveMessages
import ArchiveMinizip
import ArchiveSandbox
import TestSupport
import Testing

/// What every archive reader promises: each rule × each adapter, and the fake where it has a say.
@Suite("Archive contract")
struct ArchiveContractTests {
  @Test("An archive reader keeps the rule", arguments: ArchiveContract.cases)
  func keepsTheRule(_ contractCase: ArchiveContract.Case) throws {
    let bench = try ArchiveBench(contractCase.backend)
    try contractCase.rule.check(bench)
  }
}

enum ArchiveBackend: String, CaseIterable {
  case memory, minizip, libarchive
  case confinedMinizip = "minizip in a worker"
  case confinedLibarchive = "libarchive in a worker"

  /// In this process, as the worker has them.
  static let direct: [ArchiveBackend] = [.minizip, .libarchive]
  static let adapters: [ArchiveBackend] = direct + [.confinedMinizip, .confinedLibarchive]
  private static let workers = ArchiveWorkers(ArchiveWorkers.Configuration())

  /// The same in a worker.
  var confined: ArchiveBackend {
    switch self {
    case .minizip: .confinedMinizip
    case .libarchive: .confinedLibarchive
    default: self
    }
  }

  /// Of the adapters.
  var reader: any ArchiveReader {
    switch self {
    case .memory: MemoryArchiveReader()
    case .minizip: MinizipReader()
    case .libarchive: LibarchiveReader()
    case .confinedMinizip: SandboxedArchiveReader(.minizip, workers: Self.workers)
    case .confinedLibarchive: SandboxedArchiveReader(.libarchive, workers: Self.workers)
    }
  }
}

struct ArchiveRule: Sendable {
  let sentence: String
  var backends = ArchiveBackend.allCases
  let check: @Sendable (ArchiveBench) throws -> Void
}

enum ArchiveContract {
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: ArchiveRule
    let backend: ArchiveBackend
    var testDescription: String { "\(backend): \(rule.sentence)" }
  }

  static let rules = walkRules + zipRules + damageRules

  static var cases: [Case] {
    rules.flatMap { rule in rule.backends.map { Case(rule: rule, backend: $0) } }
  }
}

/// One reader with archives made for it.
struct ArchiveBench {
  let backend: ArchiveBackend
  private let folder: TemporaryFolder

  init(_ backend: ArchiveBackend) throws {
    self.backend = backend
    folder = try TemporaryFolder()
  }

  /// An archive of plain entries, which the fake can have too.
  func walk(
    entries: [MemoryArchiveReader.Entry], deflated: Bool = false, _ visitor: EntryCollector
  ) throws(ArchiveError) {
    if backend == .memory {
      return try MemoryArchiveReader(["archive": entries]).walk("archive", visitor: visitor)
    }
    let zip = ZipBuilder(
      entries.map { entry in
        if entry.kind == .directory { return .folder(String(entry.name.dropLast())) }
        return deflated ? .deflated(entry.name, entry.data) : .stored(entry.name, entry.data)
      })
    try walk(zip: zip.build(), visitor)
  }

  func walk(zip bytes: [UInt8], _ visitor: EntryCollector) throws(ArchiveError) {
    let path: String
    do {
      path = try folder.write("archive", bytes)
    } catch {
      throw ArchiveError(.io, "\(error)")
    }
    try backend.reader.walk(path, visitor: visitor)
  }

  /// What came of all entries.
  func collect(_ zip: ZipBuilder) throws(ArchiveError) -> [EntryCollector.Entry] {
    let collector = EntryCollector(goesOn: true)
    try walk(zip: zip.build(), collector)
    for fault in collector.entries.compactMap(\.fault) { expectSentence(fault.detail) }
    return collector.entries
  }

  /// The error that ends the walk.
  func failure(_ bytes: [UInt8]) -> ArchiveError? {
    do throws(ArchiveError) {
      try walk(zip: bytes, EntryCollector())
      return nil
    } catch {
      expectSentence(error.detail)
      return error
    }
  }
}
