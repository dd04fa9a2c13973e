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
  /// The groups that the configuration lists.
  private let on: Set<Int>, off: Set<Int>
  /// The groups that have a state for the view, and whether that is to be shown.
  private let states: [Int: Bool]

  /// Whether layers of the file may have states of their own for the view.
  static func mayDiffer(in file: ByteView) -> Bool {
    !PDFText(file).places(of: "/ViewState").isEmpty
  }

  /// Returns the remark about a file whose layers cannot be read, as a clause for users; nil if they can.
  static func remark(_ file: ByteView) -> String? {
    mayDiffer(in: file) && namesUsages(file) && PDFLayers(file) == nil
      ? "layers that are only for the screen or only for print may be shown wrongly" : nil
  }

  /// Whether a configuration may name usages: by an array, or a reference to one. The states of check boxes have the
  /// same key, but are names.
  private static func namesUsages(_ file: ByteView) -> Bool {
    let syntax = PDFSyntax(file)
    return PDFText(file).places(of: "/AS").contains { place in
      let value = syntax.endOfSpace(from: place)
      return file.byte(value) == UInt8(ascii: "[")
        || value > place && syntax.reference(at: value) != nil
    }
  }

  /// - Returns: nil if the layers cannot be read, as in files without a plain cross-reference table.
  init?(_ file: ByteView) {
    guard let table = PDFTable(file), let catalogue = table.catalogue,
      let properties = table.dictionary(at: catalogue.dictionary["OCProperties"]),
      let configuration = table.dictionary(at: properties["D"]),
      let on = Self.groups(configuration["ON"], table),
      let off = Self.groups(configuration["OFF"], table),
      let states = Self.viewStates(configuration["AS"], table)
    else { return nil }
    (self.table, self.catalogue) = (table, catalogue)
    (self.properties, self.configuration) = (properties, configuration)
    (self.on, self.off, self.states) = (on, off, states)
  }

  /// Returns the groups that a list names; nil if an element is no group, since all states would be lost with the list.
  private static func groups(_ list: Range<Int>?, _ table: PDFTable) -> Set<Int>? {
    list == nil ? [] : table.references(list).map { Set($0) }
  }

  /// Returns the file with a default configuration that lists the states for the view; nil if it does already.
  func corrected() -> [UInt8]? {
    let syntax = table.syntax
    let isOff = syntax.isName("OFF", configuration["BaseState"])
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

  /// The maximum number of usages, categories and groups together. Any number of usages may refer to the same list.
  private static let maximumElements = 10_000

  /// Returns the groups that have a state for the view, and whether that is to be shown; nil if the usages cannot be
  /// read.
  private static func viewStates(_ list: Range<Int>?, _ table: PDFTable) -> [Int: Bool]? {
    guard let list else { return [:] }
    guard let usages = table.elements(list) else { return nil }
    var states: [Int: Bool] = [:]
    var (seenUsages, seenGroups, remaining) = (Set<Int>(), Set<Int>(), maximumElements)
    func spend(_ count: Int) -> Bool {
      remaining -= count
      return remaining >= 0
    }
    guard spend(usages.count) else { return nil }
    for place in usages {
      if let reference = table.syntax.reference(at: place.lowerBound),
        !seenUsages.insert(reference.number).inserted
      {
        continue
      }
      guard let usage = table.dictionary(at: place) else { return nil }
      guard table.syntax.isName("View", usage["Event"]), let groups = usage["OCGs"] else {
        continue
      }
      guard let categories = table.elements(usage["Category"]), spend(categories.count) else {
        return nil
      }
      guard categories.contains(where: { table.syntax.isName("View", $0) }) else { continue }
      guard let numbers = table.references(groups), spend(numbers.count) else { return nil }
      for group in numbers where seenGroups.insert(group).inserted {
        guard let usage = table.dictionary(group)?["Usage"] else { continue }
        guard let usages = table.dictionary(at: usage) else { return nil }
        guard let view = usages["View"] else { continue }
        guard let state = table.dictionary(at: view) else { return nil }
        if let state = state["ViewState"] { states[group] = !table.syntax.isName("OFF", state) }
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
