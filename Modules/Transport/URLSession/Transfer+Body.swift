import Models
import Transport

extension Transfer {
  /// Returns the length of the body according to the head; nil if the head does not state it.
  static func declaredLength(of head: ResponseHead) -> Int64? {
    if head.status == 204 || head.status == 304 { return 0 }
    // URLSession has decoded a body with a content coding, while `Content-Length` counts the coded
    // bytes.
    if let coding = head.fields["Content-Encoding"], !HTTPFields.isSame(coding, "identity") {
      return nil
    }
    return isChunked(head) ? nil : head.contentLength
  }

  /// Returns whether the head determines the end of the body, so that a body which ends is
  /// complete.
  static func isLengthKnown(of head: ResponseHead) -> Bool {
    declaredLength(of: head) != nil || isChunked(head)
  }

  private static func isChunked(_ head: ResponseHead) -> Bool {
    head.fields["Transfer-Encoding"]?.lowercased().contains("chunked") ?? false
  }

  /// Returns whether a second run with the head `new`, after a helper died, may continue behind the
  /// bytes that the sink has received: the heads must be equivalent and, if the sink has received
  /// bytes, a strong validator must show that both bodies are the same.
  func canContinue(_ old: ResponseHead, with new: ResponseHead) -> Bool {
    let names = [
      "ETag", "Last-Modified", "Content-Length", "Content-Range", "Content-Encoding",
      "Content-Type",
    ]
    guard old.status == new.status, old.url == new.url, old.hasLeftOrigin == new.hasLeftOrigin,
      names.allSatisfy({ old.fields[$0] == new.fields[$0] })
    else { return false }
    if delivered == 0 { return true }
    if let tag = new.fields["ETag"] { return !tag.hasPrefix("W/") }
    return new.fields["Last-Modified"] != nil && new.contentLength != nil
  }

  /// Returns the result of an exchange whose whole body the sink has received.
  func outcome(
    of head: ResponseHead, bytes: Int64, at time: UInt64
  ) -> Result<TransportResponse, TransportError> {
    if let declared = Self.declaredLength(of: head), declared != bytes {
      return .failure(
        error(
          bytes < declared ? .truncated : .protocolViolation,
          "the body has \(bytes) bytes, \(declared) were declared"))
    }
    // A second run that ends before the bytes of the first proves nothing about them.
    guard bytes == delivered else {
      return .failure(
        error(.truncated, "the body has \(bytes) bytes, \(delivered) were received before"))
    }
    return .success(
      response(
        head, .complete(byteCount: bytes, isLengthKnown: Self.isLengthKnown(of: head)), at: time))
  }

  func response(
    _ head: ResponseHead, _ body: TransportResponse.Body, at time: UInt64?
  ) -> TransportResponse {
    TransportResponse(
      head: head, body: body, timings: timings(lastByteAt: time), redirectCount: policy.count)
  }
}
