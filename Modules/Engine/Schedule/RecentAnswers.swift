import Models
import Persistence

/// The last answers, which the store may not contain yet: between the end of a transfer and the commit of
/// its row, and during a query to the store. Part of `Scheduler`.
struct RecentAnswers: Sendable {
  /// The number of answers kept; more than can be uncommitted at once.
  static let limit = 2 * CommitPacing.uncommittedLimit

  private var files = KeyTable<RequestKey, ExistingFile>()
  private var order: [RequestKey] = []
  private var next = 0

  mutating func insert(_ file: ExistingFile, for request: RequestKey) {
    guard files.updateValue(file, forKey: request) == nil else { return }
    order.append(request)
    guard order.count - next > Self.limit else { return }
    files[order[next]] = nil
    next += 1
    if next >= Self.limit {
      order.removeFirst(next)
      next = 0
    }
  }

  func contains(_ request: RequestKey) -> Bool { files.contains(request) }

  /// Forgets the answer of a resource whose file is missing.
  mutating func removeAnswers(_ resource: ResourceID) {
    guard let request = files.first(where: { $0.value.resource == resource })?.key else { return }
    files[request] = nil
    order = order[next...].filter { $0 != request }
    next = 0
  }

  /// Returns `existing` or the recent answer to the request, whichever is newer. A resource with a file is
  /// requested to replace that file, so its own recent file is not an answer.
  func newerAnswer(_ existing: Job.ExistingAnswer?, for request: RequestKey, of resource: Resource)
    -> Job
    .ExistingAnswer?
  {
    guard let recent = files[request], recent.resource != resource.id || resource.file == nil
    else { return existing }
    if let old = existing?.file.file.answer?.asOf, let new = recent.file.answer?.asOf, old >= new {
      return existing
    }
    return Job.ExistingAnswer(recent)
  }
}
