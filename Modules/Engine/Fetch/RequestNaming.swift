import Hashing
import Models

/// Gives requests their names, one after the other: what neighbours of a list have in common is
/// worked out once.
struct RequestNaming {
  /// A request by its name, and whom it asks.
  struct Name: Sendable {
    let request: RequestKey
    /// Empty for local files and for what is no URL.
    let host: HostName
    /// nil for those.
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
  /// The one that was requested last.
  private var host: Host?

  /// - Parameter common: what the settings add to every request: another cookie is another request.
  init(common: HTTPFields) { self.common = common }

  /// - Parameter isPublic: it may not lead to a private address: what others got from one is not
  ///   for it.
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
  /// Makes a request conditional on a change (RFC 9110 §13.1); the tag decides where there is one.
  mutating func ask(unless known: Validator) {
    if let tag = known.entityTag {
      set("If-None-Match", tag.fieldValue)
    } else if let date = known.lastModified {
      set("If-Modified-Since", date)
    }
  }
}
