/// The URLs in a cell of a table. Programs that export products or posts put all of their pictures into one cell, with
/// commas, semicolons, bars, spaces or line feeds between the URLs. A value without input or output.
struct CellURLs {
  /// The texts of the URLs in the order of the cell; the text of the cell if it does not begin with a URL.
  private(set) var urls: [String] = []

  init(_ cell: String) {
    let text = cell.withoutSpaceAtEnds
    guard BracketedURL.hasWebScheme(text[...]) else {
      urls = [text]
      return
    }
    var start = text.startIndex
    var place = start
    while let separator = text.utf8[place...].firstIndex(where: Self.isSeparator) {
      let next = text.utf8[separator...].firstIndex { !Self.isSeparator($0) } ?? text.endIndex
      // A separator without a scheme behind it is a part of the URL.
      if BracketedURL.hasWebScheme(text[next...]) {
        urls.append(String(text[start..<separator]))
        start = next
      }
      place = next
    }
    // A separator at the end of several URLs is none of the last URL's characters.
    let end = urls.isEmpty ? nil : text.utf8.lastIndex { !Self.isSeparator($0) }
    urls.append(String(end.map { text[start...$0] } ?? text[start...]))
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09...0x0d, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"): true
    default: false
    }
  }
}
