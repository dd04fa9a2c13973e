import LibraryAPI
import Models

/// The body of `POST /v1/resources`, which requests one resource through the cache.
struct FetchMessage: Codable, Equatable {
  var url: String
  /// `cached`, `validated` or `reloaded`; `validated` if missing.
  var policy: String?
  var options: RequestOptionsMessage?

  init(_ url: HTTPURL, _ policy: CachePolicy, _ options: RequestOptions) {
    self.url = url.description
    self.policy = policy.rawValue
    self.options = options.isEmpty ? nil : RequestOptionsMessage(options)
  }

  func requestOptions() throws(ControlError) -> RequestOptions {
    try options?.options() ?? RequestOptions()
  }

  func address() throws(ControlError) -> HTTPURL { try HTTPURL(field: "url", url) }

  func cachePolicy() throws(ControlError) -> CachePolicy {
    guard let policy else { return .validated }
    guard let known = CachePolicy(rawValue: policy) else {
      let names = CachePolicy.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError(.badBody, "\"policy\" is not one of \(names)")
    }
    return known
  }
}

/// A resource in the cache, as `POST /v1/resources` returns it.
struct CachedResourceMessage: Codable, Equatable {
  var path: String
  var file: StoredFileMessage
  var isFromLibrary: Bool

  init(_ resource: CachedResource) {
    path = resource.path
    file = StoredFileMessage(resource.file)
    isFromLibrary = resource.isFromLibrary
  }

  func resource() throws(ControlError) -> CachedResource {
    CachedResource(path: path, file: try file.file(), isFromLibrary: isFromLibrary)
  }
}

/// A downloaded original.
struct StoredFileMessage: Codable, Equatable {
  var name: String
  var byteCount: Int64
  /// The SHA-256 digest as 64 hexadecimal digits.
  var sha256: String
  var format: String
  var entityTag: String?
  var lastModified: String?
  var mediaType: String?
  var timings: TimingsMessage
  var answer: AnswerMessage?

  init(_ file: StoredFile) {
    name = file.name
    byteCount = file.byteCount
    sha256 = file.digest.description
    format = file.format.rawValue
    entityTag = file.validator.entityTag?.fieldValue
    lastModified = file.validator.lastModified
    mediaType = file.mediaType
    timings = TimingsMessage(file.timings)
    answer = file.answer.map { AnswerMessage($0) }
  }

  func file() throws(ControlError) -> StoredFile {
    guard let digest = Digest(hexadecimal: sha256) else {
      throw ControlError(.badBody, "\"sha256\" is not 64 hexadecimal digits")
    }
    let tag = try entityTag.map { (text) throws(ControlError) in
      guard let tag = EntityTag(text) else {
        throw ControlError(.badBody, "\"entityTag\" is not an entity tag")
      }
      return tag
    }
    return StoredFile(
      name: name, byteCount: byteCount, digest: digest,
      format: ResourceFormat(rawValue: format) ?? .unknown,
      validator: Validator(entityTag: tag, lastModified: lastModified), mediaType: mediaType,
      timings: timings.timings,
      answer: try answer.map { (message) throws(ControlError) in try message.answer() })
  }
}

/// The times of the phases of a transfer, in milliseconds.
struct TimingsMessage: Codable, Equatable {
  var queue: Double?
  var dns: Double?
  var connect: Double?
  var tls: Double?
  var request: Double?
  var firstByte: Double?
  var lastByte: Double?
  /// The number of bytes that the transfer has received, if that is not the size of the file.
  var receivedBytes: Int64?

  init(_ timings: TransferTimings) {
    queue = timings.queue.map(finite)
    dns = timings.dns.map(finite)
    connect = timings.connect.map(finite)
    tls = timings.tls.map(finite)
    request = timings.request.map(finite)
    firstByte = timings.firstByte.map(finite)
    lastByte = timings.lastByte.map(finite)
    receivedBytes = timings.receivedBytes
  }

  var timings: TransferTimings {
    var timings = TransferTimings()
    timings.queue = queue
    timings.dns = dns
    timings.connect = connect
    timings.tls = tls
    timings.request = request
    timings.firstByte = firstByte
    timings.lastByte = lastByte
    timings.receivedBytes = receivedBytes
    return timings
  }
}

/// The request whose response a stored file contains.
struct AnswerMessage: Codable, Equatable {
  /// The request key as 32 hexadecimal digits.
  var request: String
  var asOf: Int64
  /// The time until which the response is fresh (RFC 9111 §4.2), in Unix seconds; nil if unknown.
  var freshUntil: Int64?

  init(_ answer: StoredFile.Answer) {
    request = answer.request.description
    asOf = answer.asOf.rawValue
    freshUntil = answer.freshUntil
  }

  func answer() throws(ControlError) -> StoredFile.Answer {
    guard let key = RequestKey(request) else {
      throw ControlError(.badBody, "\"request\" is not 32 hexadecimal digits")
    }
    return StoredFile.Answer(request: key, asOf: ResourceID(asOf), freshUntil: freshUntil)
  }
}
