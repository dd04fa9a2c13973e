import HTTP1
import Models
import Transport

/// Checks a complete file against the statements of the servers: that of its own response, and that of the
/// response which has named the mirror. Pure.
///
/// The statements of the lists are checked for each subscriber (`ContentCheck`).
struct ResponseContentCheck {
  let job: Job
  /// The head of the response that has delivered the file; nil for none.
  let head: ResponseHead?

  enum Verdict: Equatable {
    case accepted
    /// The parts of a resumed file may be of different versions in spite of their equal validators, so the file
    /// is requested as a whole.
    case startOver
    case failed(DownloadFailure)
  }

  /// - Parameter wasResumed: Whether the file contains bytes of several responses.
  func judge(_ file: StoredFile, wasResumed: Bool) -> Verdict {
    // A server that makes a picture on request answers 202 with a text until it is ready (RFC 9110 §15.3.3).
    if let head, head.status == 202, file.format.kind == .other {
      return .failed(.refused(head))
    }
    let problem = digestProblem(of: file) ?? pageProblem(of: file)
    if wasResumed, problem != nil || isUnexpected(file) { return .startOver }
    return problem.map { .failed($0) } ?? .accepted
  }

  /// Whether the list of a subscriber specifies another content.
  private func isUnexpected(_ file: StoredFile) -> Bool {
    job.subscribers.contains { $0.resource.expectedChecksum?.matches(file) == false }
  }

  /// Returns the failure if a mirror has delivered a web page in place of another kind of file.
  private func pageProblem(of file: StoredFile) -> DownloadFailure? {
    guard file.format == .html, job.wholeBodyCheck.refusesPages else { return nil }
    return .content("the server sent a web page")
  }

  /// The checksum that the response states of its file.
  private var statedChecksum: Checksum? {
    guard let head, (200..<300).contains(head.status) else { return nil }
    return RepresentationDigest.checksum(in: head.fields)
  }

  /// Returns the algorithms of the stated checksums with which the file was not yet hashed.
  func missingAlgorithms(of file: StoredFile) -> [Checksum.Algorithm] {
    algorithms.filter { file.checksum($0) == nil }
  }

  /// The algorithms with which a file must be hashed before it is judged.
  var algorithms: Set<Checksum.Algorithm> {
    var algorithms = Set(job.subscribers.lazy.compactMap(\.resource.expectedChecksum?.algorithm))
    if let statedChecksum { algorithms.insert(statedChecksum.algorithm) }
    return algorithms
  }

  /// Returns the failure if the file is not the one that the server has described with a digest, or that the
  /// resource's own server has described.
  private func digestProblem(of file: StoredFile) -> DownloadFailure? {
    if let stated = statedChecksum, stated.matches(file) == false,
      let found = file.checksum(stated.algorithm)
    {
      return .content(
        "its \(stated.algorithm.title) is \(found.digits), the server states \(stated.digits)")
    }
    guard let mirror = job.mirrors?.current else { return nil }
    switch mirror.identity {
    case .digest(let stated)? where stated != file.digest:
      let statement = mirror.identitySource.statement
      return .content("its SHA-256 is \(file.digest), \(statement) \(stated)")
    // The list's checksum decides better, and a file of several URLs has no tag.
    case .entityTag(let tag)? where job.storedChecksum == nil && tag != file.validator.entityTag:
      return .content("its entity tag differs from \(tag.quoted), that of the first server")
    default: return nil
    }
  }
}

extension MirrorSelection.IdentitySource {
  /// The beginning of a clause that ends with the stated digest.
  fileprivate var statement: String {
    switch self {
    case .list: "the manifest specifies"
    case .response: "the first server states"
    case .description: "the Metalink description states"
    }
  }
}
