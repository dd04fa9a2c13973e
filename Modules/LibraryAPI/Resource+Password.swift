public import Models

extension Resource {
  /// What the reason of an encrypted file ends with as long as no password was given.
  package static let passwordHint =
    "; --password-file of imgdl-cli view, export, contact-sheet and add gives it one"

  /// Whether the file is here, and encrypted: `LibraryService.unlock` makes its pictures.
  public var needsPassword: Bool {
    state == .failed && file != nil && reason?.hasSuffix(Self.passwordHint) ?? false
  }
}
