public import Manifests
public import Models

/// Downloads that a client adds, starts and stops one by one, in contrast to the queue of a library.
///
/// The resources belong to lazy records (LZ2), which the engine's own queue leaves out, so that only the client
/// and viewers start their transfers. An engine forgets at its end which resources were started; the client
/// starts them again.
public protocol SingleDownloads: Sendable {
  /// Adds resources to the end of the lazy record with this title that earlier calls have created, or to a
  /// new one.
  /// - Returns: The ids of the resources, in the order of the drafts, and the record.
  func addResources(
    _ drafts: [SingleDownload], toRecord title: String
  ) async throws(LibraryError) -> (ids: [ResourceID], record: Record)
  /// Reads the files of a Metalink document of version 4 (RFC 5854) or 3, which adds nothing to the library.
  /// - Returns: The usable files in the order of the document, at most ``metalinkLimit``, and sentences about
  ///   the others.
  /// - Throws: `source` if the document cannot be read to its end, `policy` if it exceeds a limit.
  func files(
    ofMetalink document: [UInt8]
  ) async throws(LibraryError) -> (entries: [ManifestEntry], problems: [String])
  /// Starts the transfers of queued resources as soon as the limits of the engine allow it. Resources that are
  /// being transferred already, and those in another state, are left as they are.
  /// - Parameter limits: The rate limit of each resource in bytes per second; 0 means none.
  func startTransfers(_ limits: [ResourceID: Int]) async throws(LibraryError)
  /// Sets the maximum number of connections of resources, for transfers that start later; nil means
  /// `network.segments`. The numbers have no effect if that setting turns segments off.
  func setConnections(_ counts: [ResourceID: Int?]) async throws(LibraryError)
  /// Stops transfers, and returns when they have ended. Partial files are kept.
  /// - Parameter discardsFiles: Whether the resources fail as cancelled, and their partial files are deleted.
  func stopTransfers(
    of resources: [ResourceID], discardingFiles discardsFiles: Bool
  ) async throws(LibraryError)
  /// Sets the rate limit of all transfers of the engine together, in bytes per second, until the engine ends;
  /// 0 means no limit.
  func setRateLimit(bytesPerSecond: Int) async throws(LibraryError)
}

extension SingleDownloads {
  /// The maximum number of files of a Metalink document.
  public static var metalinkLimit: Int { 1_000 }

  /// The default implementation for a library without segments, which does nothing.
  public func setConnections(_ counts: [ResourceID: Int?]) async throws(LibraryError) {}
}

/// A resource to be added to a library on its own.
public struct SingleDownload: Sendable, Equatable {
  public var url: String
  /// The name for the file; nil to take the name from the URL.
  public var title: String?
  public var expectedChecksum: Checksum?
  /// The size that the file must have in bytes, if no checksum is known; nil if it is not known.
  public var expectedByteCount: Int64?
  /// The request fields of the download.
  public var fields: HTTPFields

  public init(
    url: String, title: String? = nil, expectedChecksum: Checksum? = nil,
    expectedByteCount: Int64? = nil, fields: HTTPFields = HTTPFields()
  ) {
    self.url = url
    self.title = title
    self.expectedChecksum = expectedChecksum
    self.expectedByteCount = expectedByteCount
    self.fields = fields
  }

  /// Returns the key of the source to which the record with a title belongs.
  public static func sourceKey(ofRecord title: String) -> String {
    Record.clientSourcePrefix + title
  }
}
