import Decoding
import Rendering

/// The layers of a PDF (optional content groups, ISO 32000-1, 8.11) whose state depends on the use of the file. poppler
/// takes the state that the default configuration lists, and ignores the usages that the configuration names for the
/// event of viewing (`/AS`, 8.11.4.4).
struct PDFLayers {
  private let table: PDFTable
  private let catalogue: (number: Int, dictionary: PDFSyntax.Dictionary)
  private let properties: PDFSyntax.Dictionary
  private let configuration: PDFSyntax.Dictionary

  /// Whether layers of the file may have states of their own for the view.
  static func mayDiffer(in file: ByteView) -> Bool {
    !PDFText(file).places(of: "/ViewState").isEmpty
  }

  /// Returns the remark about a file whose layers cannot be read, as a clause for users; nil if they can.
  static func remark(_ file: ByteView) -> String? {
    mayDiffer(in: file) && PDFLayers(file) == nil && !PDFText(file).places(of: "/AS").isEmpty
      ? "layers that are only for the screen or only for print may be shown wrongly" : nil
  }

  /// - Returns: nil if the layers cannot be read, as in files without a plain cross-reference table.
  init?(_ file: ByteView) {
    guard let table = PDFTable(file), let catalogue = table.catalogue,
      let properties = table.dictionary(at: catalogue.dictionary["OCProperties"]),
      let configuration = table.dictionary(at: properties["D"])
    else { return nil }
    (self.table, self.catalogue) = (table, catalogue)
    (self.properties, self.configuration) = (properties, configuration)
  }

  /// Returns the file with a default configuration that lists the states for the view; nil if it does already.
  func corrected() -> [UInt8]? {
    let (syntax, states) = (table.syntax, viewStates)
    let isOff = syntax.isName("OFF", configuration["BaseState"])
    let on = Set(table.references(configuration["ON"]) ?? [])
    let off = Set(table.references(configuration["OFF"]) ?? [])
    func isShown(_ group: Int) -> Bool { isOff ? on.contains(group) : !off.contains(group) }
    guard states.contains(where: { isShown($0.key) != $0.value }) else { return nil }
    let (shown, hidden) = (states.filter(\.value).keys, states.filter { !$0.value }.keys)
    let lists =
      "/ON" + Self.array(on.union(shown).subtracting(hidden))
      + "/OFF" + Self.array(off.union(hidden).subtracting(shown))
    let configuration = syntax.text(
      self.configuration, without: ["ON", "OFF"], and: Array(lists.utf8))
    let properties = syntax.text(
      self.properties, without: ["D"], and: Array("/D ".utf8) + configuration)
    let catalogue = syntax.text(
      self.catalogue.dictionary, without: ["OCProperties"],
      and: Array("/OCProperties ".utf8) + properties)
    return table.file(with: catalogue, asObject: self.catalogue.number)
  }

  /// The groups that have a state for the view, and whether that is to be shown.
  private var viewStates: [Int: Bool] {
    var states: [Int: Bool] = [:]
    for place in table.elements(configuration["AS"]) ?? [] {
      guard let usage = table.dictionary(at: place), table.syntax.isName("View", usage["Event"]),
        let categories = table.elements(usage["Category"]),
        categories.contains(where: { table.syntax.isName("View", $0) })
      else { continue }
      for group in table.references(usage["OCGs"]) ?? [] {
        let view = table.dictionary(at: table.dictionary(group)?["Usage"])?["View"]
        guard let state = table.dictionary(at: view)?["ViewState"] else { continue }
        states[group] = !table.syntax.isName("OFF", state)
      }
    }
    return states
  }

  private static func array(_ groups: Set<Int>) -> String {
    "[" + groups.sorted().map { "\($0) 0 R" }.joined(separator: " ") + "]"
  }
}

extension ImageSource {
  /// Calls `body` with the source, or with a copy in which the layers have the states for the view.
  func withLayersForView<Result>(
    _ body: (ImageSource) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    let file = ByteView(bytes)
    guard PDFLayers.mayDiffer(in: file), let corrected = PDFLayers(file)?.corrected() else {
      return try body(self)
    }
    return try corrected.withUnsafeBufferPointer { (bytes) throws(RenderError) -> Result in
      try body(replacing(UnsafeRawBufferPointer(bytes)))
    }
  }
}
