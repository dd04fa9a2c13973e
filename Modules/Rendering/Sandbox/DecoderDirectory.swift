import Dispatch
import RenderMessages
import Synchronization
import WorkerProcess

/// The decoders of the helper program, which is asked for them once, by the first lane that needs them.
final class DecoderDirectory: Sendable {
  private let configuration: WorkerPoolConfiguration
  private let known = Mutex<DecoderList?>(nil)
  /// Lanes that come while the program is asked wait here, on the threads that are theirs.
  private let asking = DispatchQueue(label: "imgdl.render.decoders", qos: .utility)

  init(_ configuration: WorkerPoolConfiguration) { self.configuration = configuration }

  /// Blocks while the program is asked.
  /// - Throws: where the program is missing or says nothing; it is asked again the next time.
  func list() throws(WorkerError) -> DecoderList {
    if let list = known.withLock({ $0 }) { return list }
    let result = asking.sync { Result { () throws(WorkerError) in try ask() } }
    return try result.get()
  }

  private func ask() throws(WorkerError) -> DecoderList {
    if let list = known.withLock({ $0 }) { return list }
    let list = try DecoderList(
      asking: try configuration.helpers.path(of: configuration.helperName))
    known.withLock { $0 = list }
    return list
  }
}
