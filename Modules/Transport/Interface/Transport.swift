public import Wiring

/// Fetches one resource over HTTP.
///
/// The body never crosses a task or an actor: the transport hands bytes to the sink on a thread of
/// its own, and a sink that is busy stops the reads. Range, `If-Range`, entity tags and retries
/// belong to the engine, above every transport.
public protocol Transport: Sendable {
  /// One exchange: follows redirects within the request's limits, enforces limits and deadlines,
  /// and returns when the body has ended, was refused by the sink, or failed.
  ///
  /// May be called from any task, any number of times at once. Cancelling the task ends the
  /// transfer with `.cancelled`; after the return the sink is not called any more.
  /// - Throws: `TransportError`. An HTTP status is never an error here.
  @concurrent
  func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse

  /// The same for a caller who has no task to wait in: returns at once, and `whenEnded` is called once
  /// with what `perform` would give; from then on the sink is not called any more. It may be called
  /// before this returns, on any thread, and must not block; with thousands of transfers per second a
  /// task for each of them would cost more than all that is done for it.
  /// - Returns: what ends the transfer early.
  func begin(
    _ request: TransportRequest, into sink: any BodySink,
    whenEnded: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
  ) -> any Cancellable

  /// Closes idle connections and stops helper programs and threads. Active transfers are cancelled.
  func shutdown() async
}

extension Transport {
  /// A task that waits.
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
  /// Ends the work soon, with its error for a cancellation; does nothing if the work has ended.
  func cancel()
}

extension Task: Cancellable {}

extension Port where Service == any Transport {
  public static var transport: Port<any Transport> { Port("transport") }
}

/// Where the bytes of a response go. Called on the transport's thread, one call at a time.
public protocol BodySink: AnyObject, Sendable {
  /// The final response head (after redirects, without 1xx) is there. Called once at most.
  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision

  /// The next bytes of the body, valid during the call only. Blocking is back-pressure.
  func receive(_ bytes: RawSpan) throws(SinkError)
}

public enum BodyDecision: Sendable, Equatable {
  case accept
  /// The body is not wanted: the transfer ends at once with `TransportResponse.Body.refused`.
  case refuse
}

/// A sink could not take the bytes; ends the transfer with `TransportError.Code.sink`.
public struct SinkError: Error, Sendable, CustomStringConvertible {
  public let description: String
  /// The file system is full, or a quota or file size limit is reached.
  public let isDiskFull: Bool

  public init(_ description: String, isDiskFull: Bool = false) {
    self.description = description
    self.isDiskFull = isDiskFull
  }
}
