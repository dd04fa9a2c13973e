import Hashing
import Models

/// Computes the keys of requests. Values shared with the previous request, such as those of its host, are
/// reused.
struct RequestNaming {
  /// The key of a request, with its server.
  struct Name: Sendable {
    let request: RequestKey
    /// The server; empty for local files and invalid URLs.
    let host: HostName
    /// The parsed URL; nil for local files and invalid URLs.
    let url: HTTPURL?
  }

  private struct Host {
    let origin: HTTPURL.Origin
    let name: HostName
    let key: String

    init(_ origin: HTTPURL.Origin) {
      self.origin = origin
      name = HostName(origin.description)
      key = origin.equivalenceKey
    }
  }

  private let common: HTTPFields
  private let hasher = SHA256Hasher()
  /// The host of the last request.
  private var host: Host?

  /// - Parameter common: The fields that the settings add to every request. They are part of the key,
  ///   because another cookie, for instance, makes another request.
  init(common: HTTPFields) { self.common = common }

  /// - Parameter isPublic: Whether the request must not reach a private address. It is part of the key, so
  ///   that such a request never shares a response from a private address.
  mutating func name(_ url: String, _ fields: HTTPFields, isPublic: Bool) -> Name {
    hash(isPublic ? "public\n" : "any\n")
    var name = HostName.none
    var shared: HTTPURL?
    if let parsed = try? HTTPURL(url) {
      let host = host(parsed.origin)
      name = host.name
      shared = HTTPURL(origin: host.origin, target: parsed.target)
      hash(host.key)
      hash(parsed.equivalentTarget)
    } else {
      hash(url)
    }
    hash(fields)
    hash(common)
    return Name(request: RequestKey(hasher.finalize()), host: name, url: shared)
  }

  private mutating func host(_ origin: HTTPURL.Origin) -> Host {
    if let host, host.origin == origin { return host }
    let new = Host(origin)
    host = new
    return new
  }

  private func hash(_ text: String) { hasher.update(text.utf8.span.bytes) }

  private func hash(_ fields: HTTPFields) {
    for field in fields.fields { hash("\n\(field.name.lowercased()): \(field.value)") }
  }
}

extension RequestKey {
  init(_ digest: Digest) {
    self.init(high: digest.words.0, low: digest.words.1)
  }
}

extension HTTPFields {
  /// Makes a request conditional on a change (RFC 9110 §13.1), by the entity tag if there is one.
  mutating func ask(unless known: Validator) {
    if let tag = known.entityTag {
      set("If-None-Match", tag.fieldValue)
    } else if let date = known.lastModified {
      set("If-Modified-Since", date)
    }
  }
}
