import Decoding

/// The tree of pages of a PDF (ISO 32000-1, 7.7.3), read from its text: poppler believes the number of pages that the root
/// states, and hides what is beyond it.
///
/// Only files with a plain cross-reference table are read (7.5.4). In others, the tree is usually compressed.
struct PDFPageTree {
  /// The number of pages that the root states; nil if it states none.
  let stated: Int?
  /// The number of pages in the tree.
  let leaves: Int

  private let table: PDFTable
  private let root: (number: Int, dictionary: PDFSyntax.Dictionary)

  private static let maximumNodes = 200_000
  private static let maximumDepth = 64

  /// - Returns: nil if the tree cannot be read.
  init?(_ file: ByteView) {
    guard let table = PDFTable(file), let catalogue = table.catalogue,
      let pages = catalogue.dictionary["Pages"],
      let root = table.syntax.reference(at: pages.lowerBound), root.generation == 0,
      let dictionary = table.dictionary(root.number)
    else { return nil }
    self.table = table
    self.root = (root.number, dictionary)
    stated = dictionary["Count"].flatMap { table.syntax.integer(at: $0.lowerBound)?.value }
    guard let leaves = Self.leaves(table, root.number, dictionary) else { return nil }
    self.leaves = leaves
  }

  /// Returns the file with the number of pages that are there.
  func corrected() -> [UInt8] {
    table.file(
      with: table.syntax.text(
        root.dictionary, without: ["Count"], and: Array("/Count \(leaves)".utf8)),
      asObject: root.number)
  }

  /// Counts the leaves as poppler finds them: what is missing, no dictionary, or a node above it is skipped.
  private static func leaves(
    _ table: PDFTable, _ root: Int, _ dictionary: PDFSyntax.Dictionary
  ) -> Int? {
    guard let kids = table.references(dictionary["Kids"]) else { return nil }
    var path: [(node: Int, kids: [Int], next: Int)] = [(root, kids, 0)]
    var (count, visited) = (0, 0)
    while let last = path.last {
      guard last.next < last.kids.count else {
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      visited += 1
      let kid = last.kids[last.next]
      guard visited <= maximumNodes else { return nil }
      guard !path.contains(where: { $0.node == kid }), table.has(kid) else { continue }
      guard let node = table.dictionary(kid) else { return nil }
      guard let kids = node["Kids"] else {
        count += 1
        continue
      }
      guard path.count < maximumDepth, let further = table.references(kids) else { return nil }
      path.append((kid, further, 0))
    }
    return count
  }
}
