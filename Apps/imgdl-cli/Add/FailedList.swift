import CommandLine
import Composition
import Models
import Persistence
import ProgramSupport

/// The option `--failed-to FILE`: writes the URLs of failed resources, one per line, as a list that `add`
/// accepts.
extension CommandRun {
  /// Writes the URLs of the failed resources of all records, and of the failed reloads of the records `reloaded`.
  /// - Returns: The error if the file could not be written; nil otherwise.
  func writeFailed(_ records: [RecordID], reloaded: Set<RecordID>) async -> ProgramFailure? {
    guard let name = context.invocation.value("failed-to") else { return nil }
    do {
      try await OutputFile.write(to: name, context.console.exitingOnBrokenPipe(with: nil)) {
        write in
        for id in records {
          let isReloaded = reloaded.contains(id)
          guard let record = try await library.store.record(id),
            record.counts.failed > 0 || isReloaded
          else { continue }
          try await Resources.each(of: record, in: library.store) { resource in
            let isKept = isReloaded && ReloadRemark(in: resource.reason) != nil
            if resource.state == .failed || isKept { try write(resource.url + "\n") }
          }
        }
      }
      return nil
    } catch {
      return ProgramFailure(wrapping: error)
    }
  }
}
