/// What most previews of a listing have in common.
struct MainPreviews {
  private let folder: [UInt8]
  private let host: [UInt8]
  private let link: PageRelation?
  /// The number of parts of the paths of the linked pages; nil if they differ.
  private let depth: Int?

  /// - Parameter previews: The largest number of previews with the same elements around.
  /// - Returns: nil unless three quarters of them, at least three, are in one folder.
  init?(_ previews: [ImageRelevance.Subject]) {
    let counts = Dictionary(previews.map { ($0.folder, 1) }, uniquingKeysWith: +)
    guard let (folder, count) = counts.max(by: { $0.value < $1.value }), count >= 3,
      4 * count >= 3 * previews.count,
      let first = previews.first(where: { $0.folder == folder })
    else { return nil }
    (self.folder, host) = (folder, Array(first.host))
    let contexts = previews.filter { $0.folder == folder }.map(\.context)
    link = contexts.allSatisfy { $0.link == first.context.link } ? first.context.link : nil
    let areDeep = contexts.allSatisfy { $0.linkDepth == first.context.linkDepth }
    depth = areDeep ? first.context.linkDepth : nil
  }

  /// Whether a preview is of another folder and host, and leads to a page of another form than the others, as the
  /// picture of an offer beside a listing does.
  func isUnlike(_ subject: ImageRelevance.Subject) -> Bool {
    guard let link else { return false }
    return subject.folder != folder && Array(subject.host) != host
      && (subject.context.link != link || depth.map { $0 != subject.context.linkDepth } == true)
  }
}
