import LibraryAPI
import Rendering
import Synchronization
import SystemCalls
import Threading

/// Writes the images of a page below the renditions folder, on the thread that receives them, so that no
/// other thread has to be woken. The files are not synced, because they can be made again.
final class RenditionWriting: Sendable {
  private struct State {
    var names: [String] = []
    /// The renditions that could not be written because old files of the same names are being evicted.
    var deferred: [(rendition: Rendition, name: String)] = []
    var error: SystemError?
  }

  private let layout: LibraryLayout
  private let written: RenditionLog
  private let name: @Sendable (Int, Rendition) -> String
  private let state = Mutex(State())

  /// - Parameter name: Returns the name of a rendition from its index.
  init(
    _ layout: LibraryLayout, _ written: RenditionLog,
    name: @escaping @Sendable (Int, Rendition) -> String
  ) {
    self.layout = layout
    self.written = written
    self.name = name
  }

  /// Writes the renditions of a result. Blocks.
  func receive(_ result: RenderResult) {
    for (place, rendition) in result.renditions.enumerated() {
      let name = name(place, rendition)
      state.withLock { $0.names.append(name) }
      do throws(SystemError) {
        if try !write(rendition, name) { state.withLock { $0.deferred.append((rendition, name)) } }
      } catch {
        return state.withLock { $0.error = error }
      }
    }
  }

  /// Writes the renditions that `receive` has deferred.
  /// - Parameter queue: The queue on which files are evicted.
  /// - Returns: The names in the order of the renditions.
  /// - Throws: `SystemError` if a file cannot be written.
  func writeDeferred(_ queue: BlockingQueue) async throws -> [String] {
    let (names, left, error) = outcome
    if let error { throw error }
    for (rendition, name) in left {
      // No eviction can run at the same time, since it uses the same queue.
      try await queue.run { _ = try self.write(rendition, name) }
    }
    return names
  }

  private var outcome: ([String], [(rendition: Rendition, name: String)], SystemError?) {
    state.withLock { ($0.names, $0.deferred, $0.error) }
  }

  /// Writes one rendition and records its file in the log. Blocks.
  /// - Returns: false if a file of that name is being deleted; then nothing was written.
  private func write(_ rendition: Rendition, _ name: String) throws(SystemError) -> Bool {
    guard written.beginWriting(name) else { return false }
    do throws(SystemError) {
      let draft = "\(layout.incoming)/\(UInt64.random(in: 0 ... .max)).rendition"
      try RenditionFile.write(
        rendition.bytes, to: layout.rendition(name), draft: draft, in: layout.folder)
    } catch {
      written.cancelWriting(name)
      throw error
    }
    written.endWriting(name, bytes: Int64(rendition.bytes.count))
    return true
  }
}
