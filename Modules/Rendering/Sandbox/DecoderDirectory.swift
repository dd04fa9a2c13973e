import Dispatch
import RenderMessages
import Synchronization
import WorkerProcess

/// The decoders of the helper program, queried once, by the first slot that needs them.
final class DecoderDirectory: Sendable {
  private let configuration: WorkerPoolConfiguration
  private let cache = Mutex<DecoderList?>(nil)
  /// Serializes the query: slots that need the list meanwhile block on this queue, on their own threads.
  private let queue = DispatchQueue(label: "imgdl.render.decoders", qos: .utility)

  init(_ configuration: WorkerPoolConfiguration) { self.configuration = configuration }

  /// Returns the decoders. Blocks while the program is queried.
  /// - Throws: An error if the program is missing or its report is invalid; the next call queries it again.
  func list() throws(WorkerError) -> DecoderList {
    if let list = cache.withLock({ $0 }) { return list }
    let result = queue.sync { Result { () throws(WorkerError) in try loadList() } }
    return try result.get()
  }

  private func loadList() throws(WorkerError) -> DecoderList {
    if let list = cache.withLock({ $0 }) { return list }
    let list = try DecoderList(
      asking: try configuration.helpers.path(of: configuration.helperName))
    cache.withLock { $0 = list }
    return list
  }
}
