import Hashing
import Models
import Transport

/// Computes the keys of requests. Values shared with the previous request, such as those of its host, are
/// reused.
struct RequestNaming {
  /// The key of a request, with its server and its location.
  struct Name: Sendable {
    let request: RequestKey
    /// The server; empty for local files and invalid URLs.
    let host: HostName
    let location: ResourceLocation
  }

  private struct Host {
    let origin: HTTPURL.Origin
    let name: HostName
    let key: String
    /// The fields of the settings that requests to the host carry.
    let common: HTTPFields

    init(_ origin: HTTPURL.Origin, _ common: HTTPFields) {
      self.origin = origin
      name = HostName(origin.description)
      key = origin.equivalenceKey
      self.common = common
    }
  }

  private let user: UserFields
  /// The origins that receive the credentials among the user's fields.
  var scope: CredentialScope {
    didSet { if scope != oldValue { host = nil } }
  }
  /// The digest of the options of the source's requests; empty if there are none.
  var identity = ""
  private let hasher = SHA256Hasher()
  /// The host of the last request; usually the next request has the same host.
  private var host: Host?

  /// - Parameter common: The fields that the settings add to every request. They are part of the key,
  ///   because another cookie, for instance, makes another request.
  init(common: HTTPFields) { self.init(UserFields(common), .everyEntry) }

  init(_ user: UserFields, _ scope: CredentialScope) {
    self.user = user
    self.scope = scope
  }

  /// Parses the text of a resource and computes the key of its request.
  /// - Parameter isPublic: Whether the request must not reach a private address. The flag is part of the
  ///   key, so that such a request never shares a response from a private address.
  mutating func name(_ text: String, _ fields: HTTPFields, isPublic: Bool) -> Name {
    let location = ResourceLocation(text)
    if case .http(let url) = location { return name(url, fields, isPublic: isPublic) }
    if case .imageService(let base) = location {
      // The image of a service is not the resource at its base URI.
      hash("iiif\n")
      let name = name(base, fields, isPublic: isPublic)
      return Name(request: name.request, host: name.host, location: location)
    }
    hash(isPublic: isPublic)
    hash(text)
    return Name(request: key(fields, user.all), host: .none, location: location)
  }

  /// Computes the key of the request for a URL.
  mutating func name(_ url: HTTPURL, _ fields: HTTPFields, isPublic: Bool) -> Name {
    let host = host(url.origin)
    hash(isPublic: isPublic)
    hash(host.key)
    hash(url.equivalentTarget)
    return Name(
      request: key(fields, host.common), host: host.name,
      location: .http(HTTPURL(origin: host.origin, target: url.target)))
  }

  /// Adds the fields to the hash of the origin and the target, and returns the complete key.
  private func key(_ fields: HTTPFields, _ common: HTTPFields) -> RequestKey {
    hash(entry: fields)
    hash(common)
    if !identity.isEmpty { hash("\noptions \(identity)") }
    return RequestKey(hasher.finalize())
  }

  private mutating func host(_ origin: HTTPURL.Origin) -> Host {
    if let host, host.origin == origin { return host }
    let new = Host(origin, user.fields(for: origin, scope))
    host = new
    return new
  }

  private func hash(isPublic: Bool) { hash(isPublic ? "public\n" : "any\n") }

  private func hash(_ text: String) { hasher.update(text.utf8.span.bytes) }

  /// Adds the fields of a list to the hash. Of a referring page only its origin counts: another page of the same site
  /// that names the same image does not make another request.
  private func hash(entry fields: HTTPFields) {
    guard let page = fields["Referer"] else { return hash(fields) }
    var reduced = fields
    reduced.remove("Referer")
    if !user.replaces("Referer") {
      reduced.append("Referer", (try? HTTPURL(page))?.origin.description ?? page)
    }
    hash(reduced)
  }

  private func hash(_ fields: HTTPFields) {
    for field in fields.fields { hash("\n\(field.name.lowercased()): \(field.value)") }
  }
}

extension RequestKey {
  init(_ digest: Digest) {
    self.init(high: digest.words.0, low: digest.words.1)
  }
}

extension Validator {
  /// The validator for a later conditional request to the same URL: none if another origin behind a redirect has sent
  /// the file. Its tag says nothing about the versions that the URL's own server has.
  func forCondition(after head: ResponseHead?) -> Validator {
    head?.hasLeftOrigin ?? false ? Validator() : self
  }
}

extension HTTPFields {
  /// Makes the request conditional, so that the server answers 304 if the content is unchanged (RFC 9110
  /// §13.1): by the entity tag if there is one, otherwise by the date.
  mutating func makeConditional(on known: Validator) {
    if let tag = known.entityTag {
      set("If-None-Match", tag.fieldValue)
    } else if let date = known.lastModified {
      set("If-Modified-Since", date)
    }
  }
}
