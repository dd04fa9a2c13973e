/// A downloaded original.
///
/// The values are in a box with copy-on-write semantics: a file is passed through many functions on its way
/// into the store, and each copy of the values would take some 250 bytes and 4 references. The name is stored
/// outside the box, because it is assigned when the box is already shared.
public struct StoredFile: Sendable, Equatable {
  private struct Values: Sendable, Equatable {
    var byteCount: Int64
    var digest: Digest
    var format: ResourceFormat
    var validator: Validator
    var mediaType: String?
    var timings: TransferTimings
    var answer: Answer?
    var remark: String?
    var otherChecksums: [Checksum] = []
    var suggestedName: String?
  }

  /// The name of the file below the record's folder.
  public var name: String
  private var box: CopyOnWrite<Values>

  private var values: Values {
    _read { yield box.value }
    _modify { yield &box.value }
  }

  public var byteCount: Int64 {
    get { values.byteCount }
    set { values.byteCount = newValue }
  }
  public var digest: Digest {
    get { values.digest }
    set { values.digest = newValue }
  }
  public var format: ResourceFormat {
    get { values.format }
    set { values.format = newValue }
  }
  public var validator: Validator {
    get { values.validator }
    set { values.validator = newValue }
  }
  /// The server's `Content-Type`, for display only.
  public var mediaType: String? {
    get { values.mediaType }
    set { values.mediaType = newValue }
  }
  public var timings: TransferTimings {
    get { values.timings }
    set { values.timings = newValue }
  }
  /// The request that the file answers, or nil if the file was not downloaded.
  public var answer: Answer? {
    get { values.answer }
    set { values.answer = newValue }
  }

  /// A remark about the file that its resource shows as the reason; nil if there is none. Stored with the
  /// resource and not with the file.
  public var remark: String? {
    get { values.remark }
    set { values.remark = newValue }
  }

  /// The checksums of other algorithms than SHA-256 that were computed because lists or servers state such
  /// ones. Not stored.
  public var otherChecksums: [Checksum] {
    get { values.otherChecksums }
    set { values.otherChecksums = newValue }
  }

  /// The name that the server suggests in `Content-Disposition`; nil if it suggests none. Not stored.
  public var suggestedName: String? {
    get { values.suggestedName }
    set { values.suggestedName = newValue }
  }

  /// Returns the checksum of the content by an algorithm; nil if it was not computed.
  public func checksum(_ algorithm: Checksum.Algorithm) -> Checksum? {
    if algorithm == .sha256 { return Checksum(digest) }
    return otherChecksums.first { $0.algorithm == algorithm }
  }

  /// The request that a file answers, and how long the answer may be reused.
  public struct Answer: Sendable, Equatable {
    public var request: RequestKey
    /// The newest resource that existed when the request was sent. The file answers the same request of every
    /// resource with this id or a smaller one, since these resources existed before the response.
    public var asOf: ResourceID
    /// The Unix time in seconds until which the file may be reused without revalidation (RFC 9111), or nil if
    /// it must be revalidated.
    public var freshUntil: Int64?

    public init(request: RequestKey, asOf: ResourceID, freshUntil: Int64? = nil) {
      self.request = request
      self.asOf = asOf
      self.freshUntil = freshUntil
    }
  }

  public init(
    name: String, byteCount: Int64, digest: Digest, format: ResourceFormat,
    validator: Validator = Validator(), mediaType: String? = nil,
    timings: TransferTimings = TransferTimings(), answer: Answer? = nil
  ) {
    self.name = name
    box = CopyOnWrite(
      Values(
        byteCount: byteCount, digest: digest, format: format, validator: validator,
        mediaType: mediaType, timings: timings, answer: answer))
  }
}
