extension Resource {
  /// What the reason of an encrypted file ends with as long as no password was given.
  package static let passwordHint =
    "; --password-file of imgdl-cli view, export, contact-sheet and add gives it one"

  /// Whether the file is here, and encrypted: `LibraryService.unlock` makes its pictures.
  public var needsPassword: Bool {
    state == .failed && file != nil && reason?.hasSuffix(Self.passwordHint) ?? false
  }

  /// The reason without the hint, for programs that ask for the password themselves.
  public var reasonWithoutPasswordHint: String? {
    guard let reason, reason.hasSuffix(Self.passwordHint) else { return reason }
    return String(reason.dropLast(Self.passwordHint.count))
  }

  /// Drops the hint: the password was accepted, and the pages of the file are read with the next row.
  public mutating func acceptPassword() { reason = reasonWithoutPasswordHint }
}
