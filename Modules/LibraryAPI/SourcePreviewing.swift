/// Reads sources and tells what they name, without a library.
public protocol SourcePreviewing: Sendable {
  /// - Parameter tell: called for each entry with the title of its record and its URL.
  /// - Returns: entries that cannot be used, as sentences.
  @concurrent
  func run(
    _ request: SourceRequest, tell: @escaping @Sendable (_ title: String, _ url: String) -> Void
  ) async throws(LibraryError) -> [String]

  /// Ends what the previews needed; none is possible afterwards.
  func close() async
}
