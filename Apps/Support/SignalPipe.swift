import Dispatch
import Glibc
package import SystemCalls
import Synchronization

/// Delivers signals to a closure on a dispatch queue, through a pipe into which the handler of the signals writes.
///
/// Every signal after `init` is delivered. A dispatch source for signals is different: it is registered some time after
/// its activation, and a signal that arrives before, while it must be ignored already, is lost. At most one object
/// exists at a time; signals that arrive after its end are kept for the next one.
///
/// `@unchecked`: the source never changes after `init`, and dispatch sources may be used from any thread.
package final class SignalPipe: @unchecked Sendable {
  private let source: any DispatchSourceRead

  /// - Throws: The error of the pipe, if it cannot be created.
  package init(
    _ numbers: [Int32], deliver: @escaping @Sendable (Int32) -> Void
  ) throws(SystemError) {
    let reader = try Self.ends.get().reading
    source = DispatchSource.makeReadSource(
      fileDescriptor: reader.raw, queue: DispatchQueue(label: "imgdl.signals"))
    source.setEventHandler {
      var numbers = [UInt8](repeating: 0, count: 64)
      let count = read(reader.raw, &numbers, numbers.count)
      for number in numbers.prefix(max(0, count)) { deliver(Int32(number)) }
    }
    source.activate()
    for number in numbers { signal(number) { SignalPipe.write($0) } }
  }

  deinit { source.cancel() }

  /// Neither end is ever closed, because a handler may run on another thread at any moment.
  private static let ends = Result { () throws(SystemError) in
    let ends = try Channels.pipe()
    for end in [ends.reading, ends.writing] { _ = fcntl(end.raw, F_SETFL, O_NONBLOCK) }
    writer.store(ends.writing.raw, ordering: .releasing)
    return ends
  }

  private static let writer = Atomic<Int32>(-1)

  /// Handles a signal, and must therefore allocate no memory and preserve `errno`. A pipe that nobody reads is full
  /// after 65,536 signals, and further ones are dropped.
  private static func write(_ number: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = Glibc.write(writer.load(ordering: .acquiring), &byte, 1)
    errno = error
  }
}
