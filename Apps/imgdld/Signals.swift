import Dispatch
import Glibc

/// Receives signals as a stream. From `init` on, these signals have no other effect on the process.
///
/// `@unchecked`: the list of sources never changes after `init`, and dispatch sources may be used from any
/// thread.
final class Signals: @unchecked Sendable {
  let stream: AsyncStream<Int32>
  private let sources: [any DispatchSourceSignal]

  init(_ numbers: [Int32]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    self.stream = stream
    let queue = DispatchQueue(label: "imgdld.signals")
    sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { continuation.yield(number) }
      source.activate()
      return source
    }
  }
}
