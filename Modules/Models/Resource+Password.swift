extension Resource {
  /// The end of the reason of an encrypted file as long as no password was given.
  package static let passwordHint =
    "; --password-file of imgdl-cli view, export, contact-sheet and add gives it one"

  /// Whether the stored file is encrypted: `LibraryService.unlock` renders its images.
  public var needsPassword: Bool {
    state == .failed && file != nil && reason?.hasSuffix(Self.passwordHint) ?? false
  }

  /// The reason without the hint, for programs that ask for the password themselves.
  public var reasonWithoutPasswordHint: String? {
    guard let reason, reason.hasSuffix(Self.passwordHint) else { return reason }
    return String(reason.dropLast(Self.passwordHint.count))
  }

  /// Drops the hint: the password was accepted, and the pages of the file follow with the next row.
  public mutating func acceptPassword() { reason = reasonWithoutPasswordHint }
}
