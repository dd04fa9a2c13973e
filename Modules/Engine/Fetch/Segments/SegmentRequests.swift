import Models
import Transport

/// Creates the requests for the segments of a file, directed to the URL that has delivered its first response.
///
/// A redirect is therefore not followed again for each segment. It would cost a round trip, and might lead to
/// another copy of the file.
struct SegmentRequests: Sendable {
  private let template: TransportRequest

  /// - Parameters:
  ///   - request: The request for the whole file, without a range.
  ///   - head: The head of its response.
  init(following request: TransportRequest, _ head: ResponseHead) {
    guard head.url != request.url else {
      template = request
      return
    }
    template = TransportRequest(request, redirectedTo: head)
  }

  /// Returns the request for a range of one version of the file (RFC 9110 §13.1.5, §14.2).
  func request(for range: Range<Int64>, of version: SegmentVersion) -> TransportRequest {
    var request = template
    request.fields.set("Range", "bytes=\(range.lowerBound)-\(range.upperBound &- 1)")
    request.fields.set("If-Range", version.tag.quoted)
    return request
  }
}
