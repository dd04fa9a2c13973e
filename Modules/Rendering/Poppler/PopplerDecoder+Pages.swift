import CPoppler
import Decoding
import Models
import Rendering

/// The number of pages, which poppler takes from the root of the tree without a check: it hides pages beyond that number,
/// counts those that are missing, and finds none at all if the number is absent or larger than that of the objects.
extension PopplerDecoder {
  struct Pages {
    /// The number of pages that can be opened.
    let count: Int
    /// A remark about a wrong number in the file, as a clause for users.
    let remark: String?
  }

  /// Calls `body` with an open document, and with the source whose bytes the document reads: a copy with the right number
  /// of pages if the file states another one.
  func withPages<Result>(
    of source: ImageSource,
    _ body: (ImageSource, OpaquePointer, Pages) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    let tree = PDFPageTree(ByteView(source.bytes))
    guard let tree, tree.leaves > 0, tree.stated != tree.leaves else {
      return try withPages(of: source, tree, body)
    }
    return try tree.corrected().withUnsafeBufferPointer {
      (bytes) throws(RenderError) -> Result in
      try withPages(of: source.replacing(UnsafeRawBufferPointer(bytes)), tree, body)
    }
  }

  private func withPages<Result>(
    of source: ImageSource, _ tree: PDFPageTree?,
    _ body: (ImageSource, OpaquePointer, Pages) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    let document = try open(source)
    defer { functions.g_object_unref(UnsafeMutableRawPointer(document)) }
    let known = Int(functions.poppler_document_get_n_pages(document))
    guard known > 0 || tree?.leaves == 0 else {
      throw .damaged(.pdf, "the tree of its pages states no valid number of pages")
    }
    let isWhole = known == 0 || exists(known - 1, document)
    let found = isWhole ? known : (0..<known).first { !exists($0, document) } ?? known
    // If there is none, the error of the first page says so.
    let count = found > 0 ? found : known
    let stated = tree.map(\.stated) ?? known
    return try body(source, document, Pages(count: count, remark: Self.remark(stated, count)))
  }

  private func exists(_ page: Int, _ document: OpaquePointer) -> Bool {
    guard let page = try? open(page, of: document, count: page + 1) else { return false }
    functions.g_object_unref(UnsafeMutableRawPointer(page))
    return true
  }

  private static func remark(_ stated: Int?, _ count: Int) -> String? {
    guard let stated else { return "the file does not state how many pages it has" }
    guard stated != count else { return nil }
    return stated < count
      ? "the file states \(stated) pages, but has \(count)"
      : "the file states \(stated) pages, of which \(count) are there"
  }
}
