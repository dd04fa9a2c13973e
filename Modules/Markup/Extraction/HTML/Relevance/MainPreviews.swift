/// The properties that most previews of a listing have in common.
struct MainPreviews {
  private let folder: [UInt8]
  private let host: [UInt8]
  private let link: PageRelation?
  private let arePhotographs: Bool
  /// The number of parts of the paths of the linked pages; nil if they differ.
  private let depth: Int?

  /// - Parameter previews: The largest number of previews with the same elements around.
  /// - Returns: nil unless three quarters of them, at least three, are in one folder.
  init?(_ previews: [ImageRelevance.Subject]) {
    let counts = Dictionary(previews.map { ($0.folder, 1) }, uniquingKeysWith: +)
    guard let folder = Self.usual(previews.map(\.folder), of: previews.count), previews.count >= 3,
      let count = counts[folder], count >= 3,
      let first = previews.first(where: { $0.folder == folder })
    else { return nil }
    (self.folder, host) = (folder, Array(first.host))
    arePhotographs = previews.allSatisfy { $0.folder != folder || !$0.context.isPossibleDrawing }
    let contexts = previews.filter { $0.folder == folder }.map(\.context)
    link = Self.usual(contexts.compactMap(\.link), of: contexts.count)
    depth = Self.usual(contexts.map(\.linkDepth), of: contexts.count)
  }

  /// Returns the value that three quarters have; nil if there is none.
  private static func usual<Value: Hashable>(_ values: [Value], of count: Int) -> Value? {
    let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
    return counts.first { 4 * $0.value >= 3 * count }?.key
  }

  /// Whether a preview is of another folder and host, and leads to a page of another form than the others, as the
  /// picture of an offer beside a listing does.
  func isUnlike(_ subject: ImageRelevance.Subject) -> Bool {
    guard let link else { return false }
    return subject.folder != folder
      && (Array(subject.host) != host || subject.context.isPossibleDrawing && arePhotographs)
      && (subject.context.link != link || depth.map { $0 != subject.context.linkDepth } == true)
  }
}
