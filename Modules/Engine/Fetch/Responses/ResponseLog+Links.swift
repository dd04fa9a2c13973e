import HTTP1
import Models
import Transport

/// The URLs that the responses to one download have named. Pure.
extension ResponseLog {
  /// Whether a response may have named other URLs, which few do.
  var mayHaveLinks: Bool { redirect != nil || head?.fields.contains("Link") ?? false }

  /// Returns the Metalink description that the last response has named (RFC 6249 §3), or else the redirect
  /// on the way to it; nil if there is none, or if it could be forged more easily than the response.
  /// - Parameter own: The URL of the content that was requested.
  func description(ofContentAt own: HTTPURL) -> ContentDescription? {
    if let head = successfulHead, let named = Self.description(namedBy: head, own) { return named }
    return redirect.flatMap { Self.description(namedBy: $0, own) }
  }

  /// The mirrors that the last response has named (RFC 6249 §2), or else the redirect on the way to it; none
  /// if the response cannot prove that their content is the same.
  var duplicates: [MirrorSelection.Candidate] {
    if let head = successfulHead, let links = DuplicateLinks(head.fields) {
      return Self.candidates(links, of: head)
    }
    // The entity tag of a redirect is not that of the content.
    guard let redirect, let links = DuplicateLinks(redirect.fields), case .digest = links.identity
    else { return [] }
    return Self.candidates(links, of: redirect).filter { Self.isSafe($0.url, namedBy: redirect) }
  }

  /// The head of the last response, if that represents the content (RFC 8288 §3.2).
  private var successfulHead: ResponseHead? {
    head.flatMap { (200..<300).contains($0.status) ? $0 : nil }
  }

  private static func description(
    namedBy head: ResponseHead, _ own: HTTPURL
  ) -> ContentDescription? {
    guard let link = DescriptionLink(head.fields), let url = try? head.url.resolving(link.target),
      isSafe(url, namedBy: head)
    else { return nil }
    return ContentDescription(
      url, digest: RepresentationDigest.sha256(in: head.fields), isPublicOnly: isPublic(head),
      receivesFields: !head.hasLeftOrigin && url.origin == own.origin)
  }

  private static func candidates(
    _ links: DuplicateLinks, of head: ResponseHead
  ) -> [MirrorSelection.Candidate] {
    let isPublicOnly = isPublic(head)
    return links.targets.compactMap { try? head.url.resolving($0) }.map {
      MirrorSelection.Candidate($0, identity: links.identity, isPublicOnly: isPublicOnly)
    }
  }

  /// Whether the response of the URL cannot be forged more easily than the one that names the URL.
  private static func isSafe(_ url: HTTPURL, namedBy head: ResponseHead) -> Bool {
    head.url.scheme != .https || url.scheme == .https
  }

  /// Whether the response is of a public server; true if the transport does not know its address.
  private static func isPublic(_ head: ResponseHead) -> Bool {
    head.remoteAddress.flatMap { IPAddress($0)?.isPublic } ?? true
  }
}
