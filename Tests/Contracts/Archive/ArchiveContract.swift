public import Archive
import Models
public import TestSupport
public import Testing

/// A reader that is held to the contract, and what the rules have to know of it.
public struct ArchiveSubject: Sendable, CustomStringConvertible {
  /// Where the archives of the rules come from.
  public enum Archives: Sendable {
    /// ZIP files.
    case zip
    /// Files of another format, made of these entries. Only the rules about any format apply.
    case made(@Sendable ([MemoryArchiveReader.Entry]) -> [UInt8])
    /// None: the reader is the fake, which has the entries themselves.
    case memory
  }

  public let description: String
  public let archives: Archives
  /// Whether it reads zip64; otherwise it refuses such an archive as a whole.
  public let readsZip64: Bool
  let makeReader: @Sendable () -> any ArchiveReader

  public init(
    _ name: String, archives: Archives = .zip, readsZip64: Bool = true,
    reader: @escaping @Sendable () -> any ArchiveReader
  ) {
    description = name
    self.archives = archives
    self.readsZip64 = readsZip64
    makeReader = reader
  }
}

/// One sentence about every archive reader, and how to see that it is kept.
public struct ArchiveRule: Sendable, CustomTestStringConvertible {
  enum Scope { case everybody, zip, memory }

  public let testDescription: String
  let scope: Scope
  let check: @Sendable (ArchiveFixture) throws -> Void

  init(
    _ sentence: String, for scope: Scope = .everybody,
    _ check: @escaping @Sendable (ArchiveFixture) throws -> Void
  ) {
    testDescription = sentence
    self.scope = scope
    self.check = check
  }

  /// Whether the rule is about what the reader opens.
  public func applies(to subject: ArchiveSubject) -> Bool {
    switch (scope, subject.archives) {
    case (.everybody, _), (.zip, .zip), (.memory, .memory): true
    default: false
    }
  }

  public func check(_ subject: ArchiveSubject) throws { try check(ArchiveFixture(subject)) }
}

/// What every archive reader does, rule by rule.
public enum ArchiveContract {
  public static let rules = walkRules + zipRules + damageRules
}

/// One reader with archives made for it.
struct ArchiveFixture {
  let subject: ArchiveSubject
  let reader: any ArchiveReader
  private let folder: TemporaryFolder

  init(_ subject: ArchiveSubject) throws {
    self.subject = subject
    reader = subject.makeReader()
    folder = try TemporaryFolder()
  }

  /// An archive of plain entries, which every reader can be given.
  func walk(
    entries: [MemoryArchiveReader.Entry], deflated: Bool = false, _ visitor: EntryCollector
  ) throws(ArchiveError) {
    switch subject.archives {
    case .memory: try MemoryArchiveReader(["archive": entries]).walk("archive", visitor: visitor)
    case .made(let make): try walk(file: make(entries), visitor)
    case .zip:
      let zip = ZipBuilder(
        entries.map { entry in
          if entry.kind == .directory { return .folder(String(entry.name.dropLast())) }
          return deflated ? .deflated(entry.name, entry.data) : .stored(entry.name, entry.data)
        })
      try walk(file: zip.build(), visitor)
    }
  }

  func walk(file bytes: [UInt8], _ visitor: EntryCollector) throws(ArchiveError) {
    let path: String
    do {
      path = try folder.write("archive", bytes)
    } catch {
      throw ArchiveError(.io, "\(error)")
    }
    try reader.walk(path, visitor: visitor)
  }

  /// What came of all entries.
  func collect(_ zip: ZipBuilder) throws(ArchiveError) -> [EntryCollector.Entry] {
    let collector = EntryCollector(goesOn: true)
    try walk(file: zip.build(), collector)
    for fault in collector.entries.compactMap(\.fault) { expectSentence(fault.detail) }
    return collector.entries
  }

  /// The error that ends the walk.
  func failure(_ bytes: [UInt8]) -> ArchiveError? {
    do throws(ArchiveError) {
      try walk(file: bytes, EntryCollector())
      return nil
    } catch {
      expectSentence(error.detail)
      return error
    }
  }
}
