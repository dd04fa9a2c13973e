public import Wiring

/// Fetches one resource over HTTP.
///
/// The body never crosses a task or an actor: the transport passes bytes to the sink on a thread of
/// its own, and a busy sink stops the reads. Range requests, `If-Range`, entity tags and retries
/// are the engine's responsibility, whichever transport is used.
public protocol Transport: Sendable {
  /// Performs one exchange: follows redirects, enforces the request's limits and deadlines, and
  /// returns when the body has ended, was refused by the sink, or failed.
  ///
  /// May be called from any task, any number of times at once. Cancelling the task ends the
  /// transfer with `.cancelled`; the sink is not called after the return.
  /// - Throws: `TransportError`. No HTTP status is an error.
  @concurrent
  func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse

  /// Begins the exchange that `perform` awaits, for a caller that does not suspend: returns at
  /// once, and calls `whenEnded` once with the result of `perform`. The sink is not called after
  /// `whenEnded`.
  ///
  /// `whenEnded` may be called on any thread, also before this method returns, and must not block.
  /// The method exists because, with thousands of transfers per second, a task for each transfer
  /// would cost more than all other work.
  /// - Returns: A handle that cancels the transfer.
  func begin(
    _ request: TransportRequest, into sink: any BodySink,
    whenEnded: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
  ) -> any Cancellable

  /// Sets the maximum rate of all transfers together, in bytes per second; 0 means no limit.
  func setRateLimit(bytesPerSecond: Int)

  /// Cancels active transfers, closes idle connections, and stops helper programs and threads.
  func shutdown() async
}

extension Transport {
  /// The default implementation for a transport without a rate limit, which does nothing.
  public func setRateLimit(bytesPerSecond: Int) {}

  /// The default implementation, which awaits `perform` in a task.
  public func begin(
    _ request: TransportRequest, into sink: any BodySink,
    whenEnded: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
  ) -> any Cancellable {
    Task { @concurrent in
      do throws(TransportError) {
        whenEnded(.success(try await perform(request, into: sink)))
      } catch {
        whenEnded(.failure(error))
      }
    }
  }
}

/// Work that can be cancelled from any thread.
public protocol Cancellable: Sendable {
  /// Ends the work soon, with the error of a cancellation; does nothing if the work has ended.
  func cancel()
}

extension Task: Cancellable {}

extension Port where Service == any Transport {
  public static var transport: Port<any Transport> { Port("transport") }
}

/// The receiver of a response's bytes. The transport calls it on a thread of its own, one call at a
/// time.
public protocol BodySink: AnyObject, Sendable {
  /// Receives the head of a response with a redirect, which the transport follows next. Called before
  /// `begin`, once for each redirect, in their order. The bodies of these responses are not passed.
  ///
  /// A transport that repeats the transfer from its first request reports the redirects again, but
  /// only if `begin` was not called before. The implementation must not block.
  func redirected(by head: ResponseHead)

  /// Receives the head of the final response, after redirects and interim (1xx) responses. Called
  /// at most once.
  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision

  /// Receives the next bytes of the body, which are valid during the call only. A call that blocks
  /// stops the reads (back-pressure).
  func receive(_ bytes: RawSpan) throws(SinkError)

  /// Whether the bytes received so far prove that they are the whole body, as the end of compressed data or of a picture
  /// does. Asked where the end of the connection is the end of the body, and TLS does not confirm that end.
  var provesEnd: Bool { get }
}

extension BodySink {
  /// The default implementation, which does nothing.
  public func redirected(by head: ResponseHead) {}

  /// The default implementation: a body has no mark of its end.
  public var provesEnd: Bool { false }
}

public enum BodyDecision: Sendable, Equatable {
  case accept
  /// The body is not wanted; the transfer ends at once with `TransportResponse.Body.refused`.
  case refuse
}

/// The reason why a sink does not accept the bytes. The transfer ends with `TransportError.Code.sink`.
public struct SinkError: Error, Sendable, CustomStringConvertible {
  public let description: String
  /// Whether the kernel has refused to store the bytes, which concerns more than one transfer.
  public let isOfDisk: Bool
  /// Whether the file system is full, or a quota was reached.
  public let isDiskFull: Bool
  /// Whether no file may have so many bytes, which concerns only this transfer.
  public let isTooLarge: Bool

  /// Creates the error of a sink that does not want the bytes, or is not ready for them.
  public init(_ description: String) {
    self.description = description
    (isOfDisk, isDiskFull, isTooLarge) = (false, false, false)
  }

  /// Creates the error of a system call that could not store the bytes.
  public init(disk description: String, isFull: Bool, isTooLarge: Bool = false) {
    self.description = description
    (isOfDisk, isDiskFull, self.isTooLarge) = (!isTooLarge, isFull, isTooLarge)
  }
}
