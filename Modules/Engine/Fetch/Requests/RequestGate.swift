import LibraryAPI
import Models

/// Admits requests that belong to no job to the budgets of their hosts.
protocol RequestGate: Sendable {
  /// Returns when the request may be sent. The caller then must call `leave`, even if the request fails.
  /// - Throws: `.network` if the host is unreachable, `.interrupted` if the engine stops or the task is
  ///   cancelled.
  func enter(_ host: HostName) async throws(LibraryError) -> SingleRequests.ID

  /// Reports the end of a request.
  /// - Parameters:
  ///   - host: The host that answered or failed.
  ///   - failure: nil for an answer.
  ///   - wasAnswered: Whether the head of a response was received.
  func leave(
    _ id: SingleRequests.ID, _ host: HostName, _ failure: DownloadFailure?, wasAnswered: Bool
  ) async
}
