/// Reads sources and reports their entries, without a library.
public protocol SourcePreviewing: Sendable {
  /// Reads a source.
  /// - Parameter emit: Called for each entry with the title of its record and its URL.
  /// - Returns: One sentence for each entry that cannot be used.
  @concurrent
  func run(
    _ request: SourceRequest, emit: @escaping @Sendable (_ title: String, _ url: String) -> Void
  ) async throws(LibraryError) -> [String]

  /// Releases the resources that previews use; `run` must not be called afterwards.
  func close() async
}
