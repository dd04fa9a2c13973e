import LibraryAPI
import Manifests
import Models

/// Parses one list and sends its entries in batches.
struct ListSender {
  private var parser: ManifestParser
  /// The format of the list; nil before enough of it has been received.
  var format: ContentFormat? { parser.contentFormat }
  /// The way in which the list is read, if it is a text.
  var layout: RecordedLayout? { parser.layout }
  private var sender: ItemSender
  private let name: String
  private let expected: ExpectedDocument

  init(
    name: String, base: HTTPURL?, form: SourceForm, layout: RecordedLayout? = nil,
    isTable: Bool = false, hasNextPage: Bool = false,
    expected: ExpectedDocument = ExpectedDocument(), limits: ManifestLimits,
    channel: ImportChannel
  ) {
    self.name = name
    self.expected = expected
    parser = ManifestParser(
      format: form.format, name: name, base: base, limits: limits, columns: form.columns,
      layout: layout, isTable: isTable)
    parser.hasNextPage = hasNextPage
    sender = ItemSender(channel)
  }

  /// The number of bytes parsed before their entries are sent, so that storing them overlaps with reading.
  private static let slice = 16 << 10

  mutating func receive(_ bytes: RawSpan) throws {
    var start = 0
    while start < bytes.byteCount {
      let end = min(start + Self.slice, bytes.byteCount)
      try receive(slice: bytes.extracting(start..<end))
      start = end
    }
  }

  private mutating func receive(slice bytes: RawSpan) throws {
    var items: [ManifestItem] = []
    do {
      try parser.receive(bytes, into: &items)
    } catch {
      // The entries before the error are usable, so they are sent.
      try send(items)
      throw error
    }
    try send(items)
  }

  /// Sends items. The format of a list is known as soon as it has any.
  private mutating func send(_ items: [ManifestItem]) throws {
    guard !items.isEmpty else { return }
    try expected.check(format, name: name)
    try sender.send(items)
  }

  mutating func endList() throws {
    var items: [ManifestItem] = []
    do {
      try parser.finish(into: &items)
    } catch {
      try send(items)
      throw error
    }
    let isEmpty = parser.entryCount == 0 && parser.problemCount == 0
    try expected.check(format, isEmpty: isEmpty, name: name)
    try send(items)
    try flush()
  }

  mutating func flush() throws { try sender.flush() }
}
