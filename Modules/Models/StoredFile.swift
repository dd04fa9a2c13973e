/// A downloaded original.
///
/// Its values lie in a box that copies share until one of them is changed: a file is told of in many
/// places on its way into the store, and each of them would copy some 250 bytes and 4 references. The
/// name, which it gets when others know of it already, is beside the box.
public struct StoredFile: Sendable, Equatable {
  /// @unchecked Sendable: it is changed only where nobody else has it, as its one owner's value.
  private final class Box: @unchecked Sendable {
    var values: Values
    init(_ values: Values) { self.values = values }
  }

  private struct Values: Sendable, Equatable {
    var byteCount: Int64
    var digest: Digest
    var format: ResourceFormat
    var validator: Validator
    var mediaType: String?
    var timings: TransferTimings
    var answer: Answer?
  }

  /// Below the record's folder.
  public var name: String
  private var box: Box

  private var values: Values {
    _read { yield box.values }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.values) }
      yield &box.values
    }
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && (a.box === b.box || a.values == b.values)
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
  /// Which request it answers; nil for what was not fetched.
  public var answer: Answer? {
    get { values.answer }
    set { values.answer = newValue }
  }

  /// What a file is the answer to, and for how long.
  public struct Answer: Sendable, Equatable {
    public var request: RequestKey
    /// The last resource that there was when the server was asked: this file answers the same
    /// request of every resource up to it, for they all were there when it was made.
    public var asOf: ResourceID
    /// Unix seconds until which it may be used without asking again (RFC 9111); nil means ask.
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
    box = Box(
      Values(
        byteCount: byteCount, digest: digest, format: format, validator: validator,
        mediaType: mediaType, timings: timings, answer: answer))
  }
}
