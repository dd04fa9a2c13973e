import Models
import Persistence

/// The progress of an unfinished change of a whole record.
struct RecordVerbProgress {
  let verb: RecordVerb
  /// The last resource examined so far; the change ends with `lastResource`.
  var last = ResourceID(0)
  let lastResource: ResourceID
}

extension RecordVerb {
  func concerns(_ resource: Resource) -> Bool {
    switch self {
    case .cancel: resource.state == .queued
    case .retry: resource.state == .failed
    case .reload: true
    }
  }

  /// - Parameter isLazy: Whether the record of the resource is lazy.
  func apply(to resource: inout Resource, isLazy: Bool) {
    switch self {
    case .cancel(let reason) where resource.file == nil:
      resource.state = .failed
      resource.reason = reason
      resource.isNamed = false
    case .cancel:
      resource.state = .fetched
      resource.reason = nil
      resource.mustReload = false
      resource.isNamed = false
    case .retry(let reason):
      let isWhole = resource.file != nil && !resource.mustReload
      resource.state = isWhole && resource.reason == reason ? .fetched : .queued
      if isLazy, resource.state == .queued { resource.isNamed = true }
      resource.reason = nil
      resource.attempts = 0
    case .reload:
      if isLazy, resource.state != .queued { resource.isNamed = true }
      resource.state = .queued
      resource.reason = nil
      resource.attempts = 0
      resource.mustReload = true
    }
  }
}
