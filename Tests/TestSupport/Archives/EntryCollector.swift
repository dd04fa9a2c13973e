public import Archive

/// A visitor that keeps what it gets. Confined to the thread that walks.
public final class EntryCollector: ArchiveVisitor {
  public struct Entry: Equatable {
    public var entry: ArchiveEntry
    public var data: [UInt8] = []
    public var isWhole = false
    public var fault: ArchiveError?
  }

  public private(set) var entries: [Entry] = []
  /// Bytes in all, also of what was not kept.
  public private(set) var byteCount = 0
  public private(set) var largestBlock = 0

  private let goesOn: Bool
  private let keepsData: Bool
  private let decide: (ArchiveEntry) throws(ArchiveError) -> EntryDecision

  /// - Parameter goesOn: whether a bad entry is noted, or ends the walk.
  public init(
    goesOn: Bool = false, keepsData: Bool = true,
    decide: @escaping (ArchiveEntry) throws(ArchiveError) -> EntryDecision = { _ in .read }
  ) {
    self.goesOn = goesOn
    self.keepsData = keepsData
    self.decide = decide
  }

  public var names: [String] { entries.map(\.entry.name) }

  public func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision {
    entries.append(Entry(entry: entry))
    return try decide(entry)
  }

  public func receive(_ bytes: RawSpan) throws(ArchiveError) {
    byteCount += bytes.byteCount
    largestBlock = max(largestBlock, bytes.byteCount)
    guard keepsData else { return }
    bytes.withUnsafeBytes { entries[entries.count - 1].data += $0 }
  }

  public func endEntry() throws(ArchiveError) { entries[entries.count - 1].isWhole = true }

  public func failEntry(_ error: ArchiveError) throws(ArchiveError) {
    entries[entries.count - 1].fault = error
    if !goesOn { throw error }
  }
}
