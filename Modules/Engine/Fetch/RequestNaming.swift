import Hashing
import Models

/// Gives requests their names.
enum RequestNaming {
  /// A request by its name, and whom it asks.
  struct Name: Sendable {
    let request: RequestKey
    /// Empty for local files and for what is no URL.
    let host: String
  }

  /// - Parameters:
  ///   - common: what the settings add to every request: another cookie is another request.
  ///   - isPublic: it may not lead to a private address: what others got from one is not for it.
  static func name(
    _ url: String, _ fields: HTTPFields, common: HTTPFields, isPublic: Bool
  ) -> Name {
    let parsed = try? HTTPURL(url)
    var text = isPublic ? "public\n" : "any\n"
    text += parsed?.equivalenceKey ?? url
    for field in fields.fields + common.fields {
      text += "\n\(field.name.lowercased()): \(field.value)"
    }
    let digest = SHA256Hasher.hash(of: Array(text.utf8))
    return Name(request: RequestKey(digest), host: parsed?.origin.description ?? "")
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
