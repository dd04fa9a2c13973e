public import Models

/// A transfer that the machine has decided to start.
public struct TransferOrder: Sendable, Equatable {
  public let gid: GID
  /// The number of changes that have made the transfer of the download another one.
  public let revision: Int
  /// The URI without user and password, which `fields` contain.
  public let uri: String
  /// The resource of an earlier transfer of the same URI; nil if a new one is needed.
  public let resource: ResourceID?
  /// The title of the record to which the resource belongs.
  public let record: String
  /// The name for the file; nil to take the name from the URI.
  public let fileName: String?
  /// The request fields of the download.
  public let fields: HTTPFields
  public let checksum: Checksum?
  /// The size that the file must have in bytes; nil if it is not known.
  public let byteCount: Int64?
  public let limits: TransferLimits

  /// Whether the resource of one order serves the other one.
  func hasSameResource(as other: TransferOrder) -> Bool {
    uri == other.uri && record == other.record && fileName == other.fileName
      && fields == other.fields && checksum == other.checksum
  }
}

extension TransferOrder {
  /// The order for the transfer of a download; nil if it has not been started.
  init?(_ download: Download, _ server: ServerOptions) throws(RPCError) {
    guard let uri = download.usedURI else { return nil }
    let options = download.options
    gid = download.gid
    revision = download.revision
    self.uri = DownloadURI(uri)?.text ?? uri
    resource = download.resource
    record = try server.folder(of: options).title
    fileName = server.value("out", of: options)
    fields = try server.fields(of: options, uri: uri)
    checksum = server.value("checksum", of: options).flatMap { Checksum($0) }
    byteCount = download.expectedBytes
    limits = TransferLimits(options, server)
  }
}

/// The limits of one transfer.
public struct TransferLimits: Sendable, Equatable {
  /// The rate limit in bytes per second; 0 means no limit.
  public let bytesPerSecond: Int
  /// The maximum number of connections; nil if neither the client nor the server has chosen one.
  public let connections: Int?
}

extension TransferLimits {
  init(_ options: OptionValues, _ server: ServerOptions) {
    bytesPerSecond = server.rateLimit(of: options)
    connections = server.connectionLimit(of: options)
  }
}
