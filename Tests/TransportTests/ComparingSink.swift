import Dispatch
import Glibc
import Synchronization
import Transport

/// A sink that waits at its first byte for a signal, and compares the body with a repeated block.
final class ComparingSink: BodySink {
  private struct State {
    var count = 0
    var isEqual = true
  }

  let mayGoOn = DispatchSemaphore(value: 0)
  private let block: [UInt8]
  private let state = Mutex(State())

  init(_ block: [UInt8]) { self.block = block }

  var count: Int { state.withLock(\.count) }
  var isEqual: Bool { state.withLock(\.isEqual) }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision { .accept }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    if count == 0 { mayGoOn.wait() }
    bytes.withUnsafeBytes { bytes in
      block.withUnsafeBytes { block in
        state.withLock { state in
          var rest = bytes[...]
          while !rest.isEmpty {
            let start = state.count % block.count
            let part = rest.prefix(block.count - start)
            let expected = block[start..<(start + part.count)]
            state.isEqual = state.isEqual && isSame(part, expected)
            state.count += part.count
            rest = rest.dropFirst(part.count)
          }
        }
      }
    }
  }
}

/// memcmp: a loop over elements takes seconds in a debug build.
private func isSame(_ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>) -> Bool
{
  let (a, b) = (UnsafeRawBufferPointer(rebasing: a), UnsafeRawBufferPointer(rebasing: b))
  guard a.count == b.count, let first = a.baseAddress, let second = b.baseAddress else {
    return a.count == b.count
  }
  return memcmp(first, second, a.count) == 0
}
