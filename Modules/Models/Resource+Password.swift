extension Resource {
  /// The suffix of `reason` while an encrypted file waits for its password.
  package static let passwordHint =
    "; --password-file of imgdl-cli view, export, contact-sheet and add gives it one"

  /// Whether the stored file is encrypted and waits for its password (`LibraryService.unlock`).
  public var needsPassword: Bool {
    state == .failed && file != nil && reason?.hasSuffix(Self.passwordHint) ?? false
  }

  /// The reason without the hint, for programs that ask for the password themselves.
  public var reasonWithoutPasswordHint: String? {
    guard let reason, reason.hasSuffix(Self.passwordHint) else { return reason }
    return String(reason.dropLast(Self.passwordHint.count))
  }

  /// Removes the hint from the reason once the password is accepted; the next row will contain the pages.
  public mutating func acceptPassword() { reason = reasonWithoutPasswordHint }
}
