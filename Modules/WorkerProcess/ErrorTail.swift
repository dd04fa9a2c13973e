import Glibc
import Synchronization
import SystemCalls

/// The last 500 bytes that a helper wrote to its standard error, read while a caller waits for the helper. The stack
/// trace that the Swift runtime writes after a fatal error is not kept, because it would displace the error.
///
/// The helper's end of the pipe does not block: if the pipe is full, messages are lost instead of the helper
/// being blocked.
final class ErrorTail: Sendable {
  static let limit = 500
  private static let traceTitle = Array("Current stack trace:".utf8)
  /// The number of bytes per read, and the maximum number of reads before the caller checks its deadline
  /// again, because a helper that never stops writing must not delay its caller.
  private static let chunkSize = 4_096
  private static let chunksAtOnce = 32

  private struct State {
    var bytes: [UInt8] = []
    /// Whether the stack trace of the Swift runtime has begun.
    var hasTrace = false
    var hasEnded = false
    /// Whether a request has been sent to the helper.
    var hasJob = false

    mutating func append(_ chunk: ArraySlice<UInt8>) {
      guard !hasTrace else { return }
      bytes += chunk
      if let trace = bytes.firstRange(of: ErrorTail.traceTitle) {
        hasTrace = true
        bytes.removeSubrange(trace.lowerBound...)
      }
      if bytes.count > ErrorTail.limit { bytes.removeFirst(bytes.count - ErrorTail.limit) }
    }
  }

  private let pipe: OwnedDescriptor
  private let state = Mutex(State())

  init(_ pipe: OwnedDescriptor) { self.pipe = pipe }

  /// The descriptor for poll(2); -1 after the helper has closed its end, because poll would return at once.
  var raw: Int32 { state.withLock { $0.hasEnded } ? -1 : pipe.raw }

  /// Reads the available bytes, up to 128 KiB, without waiting.
  func drain() {
    var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
    for _ in 0..<Self.chunksAtOnce {
      let count = Glibc.read(pipe.raw, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return }
      state.withLock { state in
        if count == 0 { state.hasEnded = true }
        state.append(chunk.prefix(count))
      }
      if count == 0 { return }
    }
  }

  /// Forgets what the helper has written about earlier jobs, so that the report of a helper that ends quotes no message
  /// about another file. Called before each request; what a helper writes while it starts is kept for its first job.
  func beginJob() {
    drain()
    state.withLock { state in
      if state.hasJob { state.bytes.removeAll(keepingCapacity: true) }
      state.hasJob = true
    }
  }

  /// The text without control characters; lines are joined with " | ".
  var text: String {
    drain()
    let bytes = state.withLock { $0.bytes }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.map { line in
      String(
        String.UnicodeScalarView(
          line.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }.filter { !$0.isEmpty }.joined(separator: " | ")
  }
}
