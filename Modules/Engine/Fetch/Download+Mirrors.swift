import HTTP1
import Models
import Transport

extension Download {
  /// The party that named the URL of the request: a mirror from a public server's response must not lead to a
  /// private address, whatever the list may.
  var requestOrigin: RequestOrigin {
    job.mirrors?.current.isPublicOnly ?? false ? .publicPage : origin
  }

  /// Whether a response has named the URL of the request, which is therefore not signed.
  var isNamedByResponse: Bool { job.mirrors?.current.identity != nil }

  /// The mirrors that the last response has named (RFC 6249 §2); none for a response that cannot prove that
  /// their content is the same.
  var duplicates: [MirrorSelection.Candidate] {
    guard let head, (200..<300).contains(head.status), let links = DuplicateLinks(head.fields)
    else { return [] }
    let isPublicOnly = head.remoteAddress.flatMap { IPAddress($0)?.isPublic } ?? true
    return links.targets.compactMap { try? head.url.resolving($0) }.map {
      MirrorSelection.Candidate($0, identity: links.identity, isPublicOnly: isPublicOnly)
    }
  }

  /// Whether the list of a subscriber specifies another content.
  func isUnexpected(_ file: StoredFile) -> Bool {
    job.subscribers.contains { $0.resource.expectedDigest.map { $0 != file.digest } ?? false }
  }

  /// Returns the failure if a mirror has delivered a web page in place of another kind of file.
  func pageProblem(of file: StoredFile) -> DownloadFailure? {
    guard file.format == .html, job.wholeBodyCheck.refusesPages else { return nil }
    return .content("the server sent a web page")
  }

  /// Returns the failure if the file is not the one that the server has described with a digest, or that the
  /// resource's own server has described.
  func digestProblem(of file: StoredFile) -> DownloadFailure? {
    if let head, (200..<300).contains(head.status),
      let stated = RepresentationDigest.sha256(in: head.fields),
      stated != file.digest
    {
      return .content("its SHA-256 is \(file.digest), the server states \(stated)")
    }
    switch job.mirrors?.current.identity {
    case .digest(let stated)? where stated != file.digest:
      return .content("its SHA-256 is \(file.digest), the first server states \(stated)")
    // The list's digest decides better, and a file of several URLs has no tag.
    case .entityTag(let tag)? where job.storedDigest == nil && tag != file.validator.entityTag:
      return .content("its entity tag differs from \(tag.quoted), that of the first server")
    default: return nil
    }
  }
}
