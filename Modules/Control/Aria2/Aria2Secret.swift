import Hashing

/// The secret that authenticates the clients of the aria2 interface.
struct Aria2Secret: Sendable {
  /// The secret as bytes; nil if every program may call.
  private let bytes: [UInt8]?

  init(_ text: String?) { bytes = text.map { Array($0.utf8) } }

  /// Whether a call needs the secret.
  var isRequired: Bool { bytes != nil }

  /// Returns whether a text is the secret, in a time that does not depend on the text's bytes.
  func matches(_ text: String) -> Bool {
    bytes.map { MessageAuthenticationCode.isEqual($0, Array(text.utf8)) } ?? false
  }
}
