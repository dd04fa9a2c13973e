public import LibraryAPI
public import Models
public import Persistence
import Synchronization
import SystemCalls
import Threading

/// Compares every file of a library with the library's store: existence and size, or every byte.
///
/// Rows are read a page at a time, so that the memory use does not depend on their number. An engine may run
/// at the same time: a file that changes during the examination is examined again.
public struct LibraryVerifier: Sendable {
  /// Queues resources with bad files for another download, with the reason.
  public typealias Requeue =
    @Sendable (_ resources: [ResourceID], _ reason: String) async throws -> Void

  let layout: LibraryLayout
  let store: any LibraryReader
  let requeue: Requeue?
  let disk = BlockingQueue("verify")

  /// The number of resources that are examined before their findings are reported and queued.
  static let pageSize = 1_000

  /// - Parameter requeue: Queues resources again, usually `LibraryService.requeue`; nil only reports
  ///   problems.
  public init(layout: LibraryLayout, store: any LibraryReader, requeue: Requeue? = nil) {
    self.layout = layout
    self.store = store
    self.requeue = requeue
  }

  /// Verifies the library.
  /// - Parameters:
  ///   - readsData: Whether every file is read and its SHA-256 compared; otherwise only sizes are compared.
  ///   - found: Called for each bad file, in the order of records and resources.
  ///   - progress: Called after each file and each megabyte on a reading thread; must return quickly.
  /// - Throws: `.interrupted` if the task is cancelled, the errors of the store, and `.io` if this process
  ///   cannot open files.
  @concurrent
  public func run(
    readingData readsData: Bool = false, found: (VerifyFinding) async -> Void = { _ in },
    progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
  ) async throws(LibraryError) -> VerifyReport {
    do {
      var report = VerifyReport()
      report.storeProblems = try await store.integrityProblems()
      let totals = try await store.totals()
      report.undownloaded = totals.queued
      let tally = Tally(totals, readsData: readsData, progress)
      var pass = VerifyPass(self, FileExaminer(readsData: readsData, in: layout.folder), tally)
      for id in try await recordIDs() {
        // The record may have been removed since its id was read.
        guard let record = try await store.record(id) else { continue }
        try await forEachPage(of: record) { page in
          for finding in try await pass.check(page, of: record) {
            report.count(finding)
            await found(finding)
          }
          for finding in try await damagedRenditions(of: page, in: record) {
            report.count(finding)
            await found(finding)
          }
        }
      }
      (report.files, report.bytes) = tally.counts
      return report
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  /// Returns the ids of all records, read in one snapshot: if a record were removed between two pages, the
  /// offset of the second one would skip another record.
  private func recordIDs() async throws -> [RecordID] {
    try await store.read { rows throws(StoreError) in
      var ids: [RecordID] = []
      while case let page = try rows.records(offset: ids.count, limit: 500), !page.isEmpty {
        ids += page.map(\.id)
      }
      // The standalone record is verified, too. A missing one is not created, so that a read-only library can
      // be verified.
      if let standalone = try rows.standaloneRecord() { ids.append(standalone.id) }
      return ids
    }
  }

  private func forEachPage(
    of record: Record, _ body: ([Resource]) async throws -> Void
  ) async throws {
    var offset = 0
    while case let page = try await store.resources(
      of: record.id, offset: offset, limit: Self.pageSize), !page.isEmpty
    {
      try Task.checkCancellation()
      offset += page.count
      try await body(page)
    }
  }

  /// Returns the renditions of the resources' pages that exist and are not whole. Unless problems are only reported, they
  /// are deleted, so that they are made again like evicted ones.
  private func damagedRenditions(
    of resources: [Resource], in record: Record
  ) async throws -> [VerifyFinding] {
    let (pages, entries) = try await store.read { rows throws(StoreError) in
      var pages: [(Resource, Page)] = []
      for resource in resources where resource.pageCount > 0 {
        for page in try rows.pages(of: resource.id) { pages.append((resource, page)) }
      }
      let names = pages.flatMap { $1.fileNames }
      return (pages, try rows.entries(named: names, in: .renditions))
    }
    guard !pages.isEmpty else { return [] }
    let (check, deletes) = (RenditionCheck(layout, entries), requeue != nil)
    return try await disk.runCancellable { [layout] flag in
      var findings: [VerifyFinding] = []
      for (resource, page) in pages {
        try flag.check()
        for name in page.fileNames where check.state(of: name) == .damaged {
          let path = layout.rendition(name)
          var finding = VerifyFinding(
            record: record, resource: resource, path: path,
            problem: .rendition(page: page.number))
          if deletes {
            try layout.folder.removeIfExists(path)
            finding.isRemovedFromCache = true
          }
          findings.append(finding)
        }
      }
      return findings
    }
  }

  func path(of file: ExistingFile) -> String { "\(layout.root)/\(file.folder)/\(file.file.name)" }
}

/// Counts examined files and bytes on the reading thread, and reports the counts.
final class Tally: Sendable {
  private let state: Mutex<VerifyProgress>
  private let report: @Sendable (VerifyProgress) -> Void

  init(
    _ totals: ResourceCounts, readsData: Bool,
    _ report: @escaping @Sendable (VerifyProgress) -> Void
  ) {
    var progress = VerifyProgress()
    progress.totalFiles = totals.fetched + totals.finished
    progress.totalBytes = readsData ? totals.bytes : 0
    state = Mutex(progress)
    self.report = report
  }

  var counts: (files: Int, bytes: Int64) { state.withLock { ($0.files, $0.bytes) } }

  func add(files: Int = 0, bytes: Int64 = 0) {
    let progress = state.withLock { progress in
      progress.files += files
      progress.bytes += bytes
      return progress
    }
    report(progress)
  }
}
