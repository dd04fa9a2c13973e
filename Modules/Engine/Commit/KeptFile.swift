import Models
import Persistence

/// The file of a resource that stays, because a newer version could not be downloaded or stored.
final class KeptFile: Sendable {
  let resource: Resource
  let file: StoredFile
  let needsPages: Bool

  /// - Parameters:
  ///   - needsPages: Whether pages are made of the file. They are made again, because the state of the pages that
  ///     exist is not known once the resource was queued.
  ///   - failure: The reason why there is no newer version, as a clause for users.
  init(_ resource: Resource, _ file: StoredFile, needsPages: Bool, failure: String) {
    var resource = resource
    resource.file = file
    resource.reason = ReloadRemark(failure: failure).text
    resource.mustReload = false
    self.resource = resource
    self.file = file
    self.needsPages = needsPages
  }

  var remark: String { resource.reason ?? "" }

  var change: ResourceChange { .kept(resource.id, remark: remark, needsPages: needsPages) }
}
