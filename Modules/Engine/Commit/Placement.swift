import Models
import Persistence
import SystemCalls

/// Puts one original under its name. Blocks.
struct Placement {
  private let layout: LibraryLayout

  init(_ layout: LibraryLayout) { self.layout = layout }

  /// - Parameter twins: paths of originals that are said to have the same content.
  /// - Returns: false if what was to be linked is not there.
  /// - Throws: `SystemError` when our own folders cannot be written.
  func place(_ arrival: CommitWork.Arrival, twins: [String] = []) throws -> Bool {
    let target = layout.original(arrival.file, in: arrival.record)
    switch arrival.origin {
    case .partial(let request):
      try settle(layout.partial(of: request), at: target, twins)
      return true
    case .spool(let path):
      try settle(path, at: target, twins)
      return true
    case .twin(let held):
      let path = "\(layout.root)/\(held.folder)/\(held.file.name)"
      return try adopt(path, held.file.byteCount, at: target, arrival.resource.id)
    }
  }

  /// A whole partial file: linked to a twin if there is one, else moved.
  private func settle(_ partial: String, at target: String, _ twins: [String]) throws {
    for twin in twins {
      // The row says so; the bytes decide.
      guard (try? FileContents.areEqual(partial, twin)) ?? false else { continue }
      if twin != target {
        guard (try? link(twin, to: target, over: partial + ".link")) ?? false else { continue }
      }
      return try FileSystem.removeIfThere(partial)
    }
    try FileSystem.moveIntoFolders(partial, to: target)
  }

  private func adopt(
    _ path: String, _ size: Int64, at target: String, _ id: ResourceID
  ) throws -> Bool {
    guard let status = try? FileSystem.status(path, followingLinks: false),
      status.kind == .file, status.size == size
    else { return false }
    if path == target { return true }
    let draft = "\(layout.incoming)/\(id).link"
    do {
      if try link(path, to: target, over: draft) { return true }
    } catch let error as SystemError where error.isMissing && !FileSystem.exists(path) {
      return false
    }
    // No links here, or the file has too many: a copy is a new beginning.
    try FileSystem.removeIfThere(draft)
    try FileSystem.copy(path, to: draft)
    try FileSystem.moveIntoFolders(draft, to: target)
    return true
  }

  /// Gives a file the name `target`, in place of whatever has it.
  /// - Parameter draft: a free name on the way.
  /// - Returns: false where links do not work or the file has too many of them.
  private func link(_ path: String, to target: String, over draft: String) throws -> Bool {
    try FileSystem.removeIfThere(draft)
    do {
      try FileSystem.link(path, to: draft)
    } catch  where error.forbidsLinks {
      return false
    }
    try FileSystem.moveIntoFolders(draft, to: target)
    // Where both names were of one file already, a rename does nothing (POSIX).
    try FileSystem.removeIfThere(draft)
    return true
  }
}
