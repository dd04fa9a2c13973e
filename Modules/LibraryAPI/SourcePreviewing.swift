public import Manifests

/// Reads sources and reports their entries, without a library.
public protocol SourcePreviewing: Sendable {
  /// Reads a source.
  /// - Parameter emit: Called for each entry with the title of its record and its URL.
  @concurrent
  func run(
    _ request: SourceRequest, emit: @escaping @Sendable (_ title: String, _ url: String) -> Void
  ) async throws(LibraryError) -> PreviewResult

  /// Releases the resources that previews use; `run` must not be called afterwards.
  func close() async
}

/// The format of a source that was read without being added, and the problems found in it.
public struct PreviewResult: Sendable, Equatable {
  /// The format by which the first document was read; nil if none was read to its end.
  public let format: ManifestFormat?
  /// One sentence for each entry that cannot be used.
  public let problems: [String]

  public init(format: ManifestFormat?, problems: [String]) {
    self.format = format
    self.problems = problems
  }
}
