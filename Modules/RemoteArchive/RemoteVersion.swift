package import Models

/// The version of a remote file to which the parts of an archive must belong.
package struct RemoteVersion: Sendable, Equatable {
  /// The size of the whole file in bytes.
  package let byteCount: Int64
  package let validator: Validator

  package init(byteCount: Int64, validator: Validator) {
    self.byteCount = byteCount
    self.validator = validator
  }

  /// Returns whether a later response is of this version. A response without the validator cannot contradict
  /// the version; the server has then compared the validator of `If-Range`, or has none.
  func includes(_ other: RemoteVersion) -> Bool {
    guard byteCount == other.byteCount else { return false }
    if let tag = validator.entityTag, let new = other.validator.entityTag { return tag == new }
    if let date = validator.lastModified, let new = other.validator.lastModified {
      return date.utf8.elementsEqual(new.utf8)
    }
    return true
  }
}
