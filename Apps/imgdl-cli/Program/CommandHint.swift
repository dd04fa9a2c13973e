/// Commands in messages: they name the library that the user has named, because they would otherwise concern another one.
struct CommandHint: Sendable {
  /// The value of `--library`; nil if the library is the default one.
  let library: String?

  /// Returns a command as the user types it.
  /// - Parameter words: The command and its arguments, such as `show 1`.
  func callAsFunction(_ words: String) -> String {
    guard let library else { return "imgdl-cli \(words)" }
    return "imgdl-cli \(words) -d \(CommandText.quoted(library))"
  }
}
