import HTTP1
import Manifests
import Models

/// The mirrors of one content that its Metalink description names. Pure.
///
/// A description is believed only as far as the lists and the response that has named it permit: it must not
/// state another digest or size than they do, and its mirrors must deliver the content of a stated digest.
struct DescribedMirrors {
  /// The reason why a description is of no use, as a clause whose subject is the description.
  struct Problem: Error, Equatable {
    let reason: String
  }

  /// The largest number of files that are read of a description.
  static let maximumFiles = 1_000

  /// The last segment of the path of the content's own URL.
  let name: String
  /// The SHA-256 digests that the lists state.
  var listedDigests: [Digest] = []
  /// The sizes in bytes that the lists state.
  var listedSizes: [Int64] = []
  /// The digest that the response with the link states.
  var statedDigest: Digest?
  /// Whether the mirrors may lead to public addresses only.
  var isPublicOnly = true

  /// Returns the URLs of the file, the best one first.
  /// - Parameters:
  ///   - files: The usable files of the description.
  ///   - problems: The reasons why other files of it are not usable.
  func candidates(
    in files: [ManifestEntry], problems: [String] = []
  ) throws(Problem) -> [MirrorSelection.Candidate] {
    let file = try file(in: files, problems)
    let (digest, source) = try digest(of: file)
    if let size = file.byteCount, let listed = listedSizes.first(where: { $0 != size }) {
      throw Problem(reason: "states \(size) bytes, the manifest specifies \(listed)")
    }
    return ([file.address] + file.mirrors).compactMap { text in
      guard case .http(let url) = ResourceLocation(text) else { return nil }
      return MirrorSelection.Candidate(
        url, identity: .digest(digest), statedBy: source, isPublicOnly: isPublicOnly)
    }
  }

  private func file(
    in files: [ManifestEntry], _ problems: [String]
  ) throws(Problem) -> ManifestEntry {
    if let named = files.first(where: { $0.name == name }) { return named }
    // The unusable file may be the content's, so that the only usable one is another content.
    if let problem = problems.first { throw Problem(reason: "cannot be used: \(problem)") }
    guard let only = files.first else { throw Problem(reason: "has no file with a usable URL") }
    guard files.count == 1 else {
      throw Problem(reason: "has \(files.count) files, none of which has the name of the URL")
    }
    return only
  }

  private func digest(
    of file: ManifestEntry
  ) throws(Problem) -> (Digest, MirrorSelection.IdentitySource) {
    guard let digest = file.checksum?.digest else {
      if let listed = listedDigests.first { return (listed, .list) }
      if let statedDigest { return (statedDigest, .response) }
      throw Problem(reason: "states no SHA-256")
    }
    if let listed = listedDigests.first(where: { $0 != digest }) {
      throw Problem(reason: "states the SHA-256 \(digest), the manifest specifies \(listed)")
    }
    if let statedDigest, statedDigest != digest {
      throw Problem(reason: "states the SHA-256 \(digest), the server states \(statedDigest)")
    }
    return (digest, .description)
  }
}
