import Models
import Synchronization
import SystemCalls
import Transport

/// An exchange of a download whose response body does not go to the partial file.
struct BoundedExchange {
  let download: Download

  /// Performs an exchange for the URL with the fields of the content's requests.
  @discardableResult
  func perform(
    _ url: HTTPURL, into body: BoundedBody
  ) async throws(DownloadFailure) -> ResponseHead {
    try await perform(download.order.request(url), into: body)
  }

  /// Performs an exchange that neither continues a partial file nor is conditional, in the time that is left of
  /// the attempt.
  /// - Returns: The head of the response.
  /// - Throws: The failure, also for a status that is not of a success.
  func perform(
    _ request: TransportRequest, into body: BoundedBody
  ) async throws(DownloadFailure) -> ResponseHead {
    var limited = request
    let deadline = download.deadline
    guard deadline.limit(&limited, at: Machine.monotonicNanoseconds) else {
      throw deadline.failure
    }
    let request = limited
    let result: Result<TransportResponse, TransportError> = await withCheckedContinuation { ended in
      download.work.start {
        download.downloadContext.transport.begin(request, into: body) {
          ended.resume(returning: $0)
        }
      }
    }
    switch result {
    case .success(let response):
      download.recordURL(response.head.url)
      let status = response.head.status
      guard (200..<300).contains(status), status != 206 else {
        throw .refused(response.head)
      }
      if let problem = body.endDecoding() { throw .content(problem) }
      return response.head
    case .failure(let error):
      download.recordURL(error.url)
      download.state.withLock { $0.responses.recordAnswer(body.wasAnswered) }
      if body.isTooLarge { throw .tooLarge(limit: body.limit) }
      if let problem = body.problem { throw .content(problem) }
      throw DownloadFailure(error)
    }
  }
}
