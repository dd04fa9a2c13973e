public import Models

/// The library as the performer of the machine needs it. A fake of it stands in for a library in tests.
public protocol Aria2Library: Sendable {
  /// Creates a resource for a download, in the record with the title, which is created if it is missing.
  /// - Returns: The resource, and the absolute path of the folder of its record.
  func addResource(
    for order: TransferOrder
  ) async throws(Aria2LibraryError) -> (resource: ResourceID, folder: String)
  /// Returns the resources, the oldest first, that an earlier process may have created for an order before it was
  /// killed, and the absolute path of the folder of their record; nil if there are none.
  func earlierResources(
    for order: TransferOrder
  ) async -> (resources: [ResourceID], folder: String)?
  /// Reads a Metalink document of version 4 (RFC 5854) or 3, outside of this process.
  /// - Returns: The usable files in the order of the document, and sentences about the others.
  /// - Throws: An error that names the cause, if the document cannot be read to its end.
  func metalinkFiles(
    in document: [UInt8]
  ) async throws(Aria2LibraryError) -> (files: [MetalinkFile], problems: [String])
  /// Starts the transfers of resources, with limits. A transfer that is running already gets the new rate limit; its
  /// maximum number of connections is effective before it starts.
  func start(_ limits: [ResourceID: TransferLimits]) async throws(Aria2LibraryError)
  /// Stops the transfer of a resource, and keeps its partial file. Returns when the transfer has ended.
  func stop(_ resource: ResourceID) async throws(Aria2LibraryError)
  /// Stops the transfer of a resource, and deletes its partial file.
  func discard(_ resource: ResourceID) async throws(Aria2LibraryError)
  /// Sets the limit of concurrent transfers.
  func setConcurrency(_ limit: Int) async throws(Aria2LibraryError)
  /// Sets the rate limit of all transfers together in bytes per second; 0 means no limit.
  func setRateLimit(bytesPerSecond: Int) async throws(Aria2LibraryError)
  /// Returns the progress of all active transfers.
  func progress() async -> [ResourceID: Aria2Progress]
  /// Returns the title of a record that `addResource` has created; nil for another record.
  func title(of record: RecordID) async -> String?
  /// Returns the states of resources, without those that do not exist; nil if the library cannot be read.
  func states(of resources: [ResourceID]) async -> [ResourceID: Aria2ResourceState]?
}

extension Aria2Library {
  /// The default implementation for a library that keeps no resources, which returns none.
  public func earlierResources(
    for order: TransferOrder
  ) async -> (resources: [ResourceID], folder: String)? { nil }

  /// The default implementation for a library without records, which returns nil.
  public func title(of record: RecordID) async -> String? { nil }
}

/// The progress of an active transfer.
public struct Aria2Progress: Sendable, Equatable {
  /// The number of bytes of the file received so far.
  public let received: Int64
  /// The size of the file in bytes; nil if it is not known.
  public let expected: Int64?
  /// The number of connections that receive the file.
  public let connections: Int

  public init(received: Int64, expected: Int64?, connections: Int = 1) {
    self.received = received
    self.expected = expected
    self.connections = connections
  }
}

/// The state of a resource of a library.
public enum Aria2ResourceState: Sendable, Equatable {
  case unfinished
  /// - Parameter path: The absolute path of the file; nil if the library does not know it any more.
  case finished(path: String?, byteCount: Int64)
  case failed(reason: String)
}

/// The failure of an operation of the library.
public struct Aria2LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence for users.
  public let description: String
  /// Whether the library refuses this download as such, so that another attempt would fail as well. Other
  /// errors, such as a full disk, end no download: it is started again later.
  public let isFinal: Bool

  public init(_ description: String, isFinal: Bool) {
    self.description = description
    self.isFinal = isFinal
  }
}
