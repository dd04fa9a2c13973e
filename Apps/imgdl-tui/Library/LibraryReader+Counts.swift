import Models
import Persistence

extension LibraryReader {
  /// Returns the number of cancelled resources in the library, by a query for each record with failures. A
  /// record whose query fails is left out.
  func cancelledCount() async -> Int {
    var (sum, offset) = (0, 0)
    while let records = try? await self.records(offset: offset, limit: 1_000), !records.isEmpty {
      offset += records.count
      for record in records where record.counts.failed > 0 {
        let count = try? await failedCount(of: record.id, reason: Resource.cancelledReason)
        sum += count ?? 0
      }
    }
    return sum
  }
}
