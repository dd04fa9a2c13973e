public import Manifests
public import Models

/// Reads sources and reports their entries, without a library.
public protocol SourcePreviewing: Sendable {
  /// Reads a source.
  /// - Parameter emit: Called for each entry.
  @concurrent
  func run(
    _ request: SourceRequest, emit: @escaping @Sendable (PreviewEntry) -> Void
  ) async throws(LibraryError) -> PreviewResult

  /// Releases the resources that previews use; `run` must not be called afterwards.
  func close() async
}

/// An entry of a source that was read without being added.
public struct PreviewEntry: Sendable, Equatable {
  /// The record that the entry would belong to.
  public struct Record: Sendable, Equatable {
    /// The number of the record in the order in which `add` would make the source's records, from 0.
    public let number: Int
    public let title: String

    public init(number: Int, title: String) {
      self.number = number
      self.title = title
    }
  }

  public let record: Record
  public let url: String
  /// The file name that the source proposes; nil if it proposes none.
  public var name: String?
  public var title: String?
  /// The size that the source states, in bytes; nil if it states none.
  public var byteCount: Int64?
  /// The checksum that the content must have; nil if the source states none.
  public var checksum: Checksum?
  /// Other URLs of the same content, the best one first.
  public var mirrors: [String] = []
  /// The fields of the request, whose values may be secret.
  public var headers = HTTPFields()

  public init(record: Record, url: String) {
    self.record = record
    self.url = url
  }

  public init(record: Record, _ entry: ManifestEntry) {
    self.init(record: record, url: entry.address)
    name = entry.name
    title = entry.title
    byteCount = entry.byteCount
    checksum = entry.checksum
    mirrors = entry.mirrors
    headers = entry.headers
  }
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
