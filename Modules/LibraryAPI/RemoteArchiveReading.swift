public import Models

/// Reads zip archives on servers without downloading them: the list of entries, and single entries.
public protocol RemoteArchiveReading: Sendable {
  /// Reads the directory of an archive, usually with one or two requests.
  @concurrent
  func list(_ url: HTTPURL) async throws(LibraryError) -> RemoteArchiveListing

  /// Fetches entries of an archive and decompresses them to files.
  ///
  /// All files come from one version of the archive. If it changes on the server, the files are fetched again.
  /// - Parameters:
  ///   - password: The password of encrypted entries; nil makes them fail.
  ///   - folder: An existing folder that only this call uses. It receives the files under generated names.
  ///   - choose: Returns the entries to fetch, in the order of fetching. It is called again with a new listing
  ///     if the archive changes.
  @concurrent
  func extract(
    _ url: HTTPURL, password: DocumentPassword?, into folder: String,
    choosing choose: @escaping @Sendable (RemoteArchiveListing) throws(LibraryError) -> [Int]
  ) async throws(LibraryError) -> RemoteArchiveExtraction

  /// Releases the resources that the reader uses; no other method may be called afterwards.
  func close() async
}

/// The contents of a remote archive.
public struct RemoteArchiveListing: Sendable, Equatable {
  public struct Entry: Sendable, Equatable {
    /// The number of the page in natural order, from 1; nil for an entry whose name is not that of an image.
    public let page: Int?
    /// The name in the archive: a label that is never used as a path. It is foreign text.
    public let name: String
    /// The declared sizes in bytes, which are not trusted.
    public let compressedBytes: Int64
    public let byteCount: Int64
    public let isEncrypted: Bool

    public init(
      page: Int?, name: String, compressedBytes: Int64, byteCount: Int64, isEncrypted: Bool
    ) {
      self.page = page
      self.name = name
      self.compressedBytes = compressedBytes
      self.byteCount = byteCount
      self.isEncrypted = isEncrypted
    }
  }

  /// The size of the archive in bytes.
  public let byteCount: Int64
  /// The files of the archive in natural order, without folders and the metadata of operating systems.
  public let entries: [Entry]

  public init(byteCount: Int64, entries: [Entry], traffic: RemoteArchiveTraffic) {
    self.byteCount = byteCount
    self.entries = entries
    self.traffic = traffic
  }

  /// The requests that the listing needed.
  public let traffic: RemoteArchiveTraffic
}

/// The requests for parts of a remote archive, and the bytes of their bodies.
public struct RemoteArchiveTraffic: Sendable, Equatable {
  public var requests = 0
  public var bytes: Int64 = 0

  public init() {}
}

/// The entries fetched from a remote archive.
public struct RemoteArchiveExtraction: Sendable {
  public struct File: Sendable {
    /// The index of the entry in the listing.
    public let entry: Int
    /// The path and the detected format of the file, or the reason why the entry cannot be read.
    public let result: Result<(path: String, format: ResourceFormat), LibraryError>

    public init(
      entry: Int, result: Result<(path: String, format: ResourceFormat), LibraryError>
    ) {
      self.entry = entry
      self.result = result
    }
  }

  public let listing: RemoteArchiveListing
  /// The files in the order of fetching.
  public let files: [File]
  /// All requests, including those of the listing.
  public let traffic: RemoteArchiveTraffic

  public init(listing: RemoteArchiveListing, files: [File], traffic: RemoteArchiveTraffic) {
    self.listing = listing
    self.files = files
    self.traffic = traffic
  }
}
