import Archive
import ArchiveContracts
import ArchiveLibarchive
import ArchiveMessages
import ArchiveMinizip
import ArchiveSandbox
import RenderMessages
import TestSupport
import Testing

/// What every archive reader promises: each rule × each adapter, and the fake where it has a say.
@Suite("Archive contract")
struct ArchiveContractTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: ArchiveRule
    let subject: ArchiveSubject
    var testDescription: String { "\(subject): \(rule.testDescription)" }

    static let all = ArchiveContract.rules.flatMap { rule in
      ArchiveBackend.allCases.map(\.subject).filter(rule.applies).map {
        Case(rule: rule, subject: $0)
      }
    }
  }

  @Test("An archive reader keeps the rule", arguments: Case.all)
  func keepsTheRule(_ contractCase: Case) throws {
    try contractCase.rule.check(contractCase.subject)
  }

  @Test("Of a zip64 archive minizip says that it cannot read it", arguments: [false, true])
  func zip64(isConfined: Bool) throws {
    var entry = ZipBuilder.Entry.deflated("wide", Array("zip64".utf8))
    entry.isZip64 = true
    let folder = try TemporaryFolder()
    let path = try folder.write("wide.zip", ZipBuilder([entry]).build())
    let backend = isConfined ? ArchiveBackend.confinedMinizip : .minizip
    #expect(throws: ArchiveError(.unsupported, "minizip cannot read a zip64 archive")) {
      try backend.reader.walk(path, visitor: EntryCollector())
    }
  }
}

enum ArchiveBackend: String, CaseIterable {
  case memory, minizip, libarchive
  case confinedMinizip = "minizip in a worker"
  case confinedLibarchive = "libarchive in a worker"

  /// In this process, as the worker has them.
  static let direct: [ArchiveBackend] = [.minizip, .libarchive]
  static let adapters: [ArchiveBackend] = direct + [.confinedMinizip, .confinedLibarchive]
  private static let workers = ReadingWorkers(.archives())

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

  /// As the contract wants to have it.
  var subject: ArchiveSubject {
    ArchiveSubject(
      rawValue, archives: self == .memory ? .memory : .zip,
      readsZip64: self != .minizip && self != .confinedMinizip
    ) { reader }
  }
}
