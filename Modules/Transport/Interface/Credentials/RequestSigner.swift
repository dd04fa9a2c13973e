public import Models

/// Signs requests to the servers that the user has chosen for it, with a secret that is never sent.
public protocol RequestSigner: Sendable {
  /// Returns the fields that sign a GET request without a body.
  /// - Parameters:
  ///   - fields: The other fields of the request, without those that a transport adds.
  ///   - time: The current time in seconds since 1970-01-01 00:00 UTC.
  /// - Returns: The fields to add, or nil if requests to the origin of the URL are not signed.
  func signature(of url: HTTPURL, _ fields: HTTPFields, at time: Int64) -> HTTPFields?
}
