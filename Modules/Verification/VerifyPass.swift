import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// One pass over all files of a library: confirms, reports and requeues bad files.
struct VerifyPass {
  private let verifier: LibraryVerifier
  private let examiner: FileExaminer
  private let tally: Tally
  /// Duplicates that were reported with an earlier file and that the pass has not reached yet.
  private var reportedDuplicates: Set<ResourceID> = []

  /// The maximum number of duplicates reported with a damaged file; others are reported when they are
  /// reached.
  private static let duplicateLimit = 100
  /// The number of examinations after which a file that changes each time counts as being in use, not as
  /// damaged.
  private static let roundLimit = 4

  private var store: any LibraryReader { verifier.store }
  private var layout: LibraryLayout { verifier.layout }

  init(_ verifier: LibraryVerifier, _ examiner: FileExaminer, _ tally: Tally) {
    self.verifier = verifier
    self.examiner = examiner
    self.tally = tally
  }

  /// A file that did not match its row when it was examined.
  private struct Suspect: Sendable {
    let resource: Resource
    let examination: FileExaminer.Examination
  }

  mutating func check(_ page: [Resource], of record: Record) async throws -> [VerifyFinding] {
    let subjects = page.filter { Self.hasFile($0) && reportedDuplicates.remove($0.id) == nil }
    var findings: [VerifyFinding] = []
    for suspect in try await examine(at: subjects, of: record) {
      // The suspect may be a duplicate that was reported with an earlier file of this page.
      guard reportedDuplicates.remove(suspect.resource.id) == nil,
        let bad = try await confirm(suspect, of: record)
      else { continue }
      findings.append(try await finding(bad, of: record))
    }
    if let requeue = verifier.requeue { try await requeueDamaged(&findings, requeue) }
    return findings
  }

  /// Whether the resource has a file to examine. The file of a `stored` resource may not be in place yet;
  /// recovery completes it.
  private static func hasFile(_ resource: Resource) -> Bool {
    resource.file != nil && resource.state != .stored
  }

  private func examine(at resources: [Resource], of record: Record) async throws -> [Suspect] {
    guard !resources.isEmpty else { return [] }
    return try await verifier.disk.runCancellable { [layout, examiner, tally] flag in
      var suspects: [Suspect] = []
      for resource in resources {
        try flag.check()
        guard let file = resource.file else { continue }
        let examination = try examiner.examine(
          at: layout.original(file, in: record), expecting: file, flag
        ) { tally.add(bytes: $0) }
        tally.add(files: 1)
        if examination.problem != nil {
          suspects.append(Suspect(resource: resource, examination: examination))
        }
      }
      return suspects
    }
  }

  /// Examines a suspect again until its row is the same before and after the examination, because an engine
  /// may have replaced the file in the meantime. The engine updates the row before the file, so an unchanged
  /// row belongs to the examined file.
  /// - Returns: The suspect; nil if the file matches its row after all or is in use.
  private func confirm(_ first: Suspect, of record: Record) async throws -> Suspect? {
    var suspect = first
    for _ in 0..<Self.roundLimit {
      guard let row = try await store.resource(suspect.resource.id), Self.hasFile(row),
        let file = row.file
      else { return nil }
      if row.file == suspect.resource.file, row.state == suspect.resource.state { return suspect }
      let examination = try await verifier.disk.runCancellable { [layout, examiner] flag in
        try examiner.examine(at: layout.original(file, in: record), expecting: file, flag)
      }
      guard examination.problem != nil else { return nil }
      suspect = Suspect(resource: row, examination: examination)
    }
    return nil
  }

  private mutating func finding(
    _ suspect: Suspect, of record: Record
  ) async throws -> VerifyFinding {
    guard let file = suspect.resource.file, let problem = suspect.examination.problem else {
      throw LibraryError(.store, "the row of resource \(suspect.resource.id) has no file")
    }
    var finding = VerifyFinding(
      record: record, resource: suspect.resource, path: layout.original(file, in: record),
      problem: problem)
    guard problem.isDamage, suspect.examination.linkCount > 1,
      let identity = suspect.examination.identity
    else {
      return finding
    }
    let holders = try await store.read { rows throws(StoreError) in
      try rows.holders(of: [file.digest], limit: Self.duplicateLimit + 1)
    }
    let others = (holders[file.digest] ?? []).filter { $0.resource != suspect.resource.id }
    finding.duplicates = try await verifier.disk.run { [verifier] in
      others.filter { other in
        let status = try? verifier.layout.folder.status(verifier.path(of: other))
        return status.map { FileIdentity($0) } == identity
      }
    }
    // Duplicates that precede this file were examined while the file was intact, or were already reported.
    // Their ids may stay in the set, because the pass does not return to them.
    reportedDuplicates.formUnion(
      finding.duplicates.map(\.resource).filter { $0 != suspect.resource.id })
    return finding
  }

  /// Queues bad files for another download. A damaged file is queued together with its duplicates, so that
  /// the engine does not use one of them as the source of a hard link.
  private func requeueDamaged(
    _ findings: inout [VerifyFinding], _ requeue: LibraryVerifier.Requeue
  ) async throws {
    var bad: [String: [ResourceID]] = [:]
    for index in findings.indices where findings[index].problem.isRepairedByDownload {
      if case .notAFile(.folder) = findings[index].problem {
        // A new file can replace anything except a folder, which is renamed to keep its contents.
        let (path, folder) = (findings[index].path, layout.folder)
        findings[index].setAside = try? await verifier.disk.run {
          try Self.setAside(path, in: folder)
        }
        if findings[index].setAside == nil { continue }
      }
      let isStandalone = findings[index].record.isStandalone
      findings[index].isRequeued = !isStandalone
      findings[index].isRemovedFromStore = isStandalone
      bad[findings[index].reason, default: []] +=
        [findings[index].resource.id] + findings[index].duplicates.map(\.resource)
    }
    for (reason, resources) in bad.sorted(by: { $0.key < $1.key }) {
      try await requeue(resources, reason)
    }
  }

  private static func setAside(
    _ path: String, in folder: ConfinedFolder
  ) throws(SystemError) -> String {
    var target = path + ".aside"
    var number = 2
    while folder.exists(target) {
      target = "\(path).aside-\(number)"
      number += 1
    }
    try folder.rename(path, to: target)
    return target
  }
}
