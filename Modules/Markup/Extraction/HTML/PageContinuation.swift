import Models

/// Decides whether one page continues another, as `?page=2` continues a gallery, by the words and the numbers of
/// their URLs. The relation `next` alone does not suffice: many sites use it for the next article or photograph,
/// and following it would read the whole site.
struct PageContinuation {
  private struct Number: Equatable {
    var value: Int
    /// The word before the number, in lower case; empty if there is none.
    var label: String
    /// Whether the number belongs to a name, as in `birds-2.html`.
    var isInName: Bool
  }

  private let origin: HTTPURL.Origin
  /// The words that do not number or name pages, in lower case.
  private var words: [String] = []
  private var numbers: [Number] = []

  /// The words before the number of a page.
  private static let pageWords: Set<String> = [
    "page", "p", "pg", "paged", "pages", "pagenumber", "pagina", "seite", "cpage",
  ]
  /// The words before the number of entries on earlier pages.
  private static let offsetWords: Set<String> = ["start", "offset", "from", "skip"]
  /// The words that the first page of a folder may be without.
  private static let defaultWords: Set<String> = ["index", "html", "htm", "php"]

  init(_ url: HTTPURL) {
    origin = url.origin
    var label = ""
    var separator = UInt8(ascii: "/")
    var rest = Array(url.target.utf8.prefix(HTTPURL.maximumLength))[...]
    while let first = rest.first {
      guard Self.isWord(first) else {
        separator = first
        rest = rest.dropFirst()
        continue
      }
      let token = rest.prefix(while: Self.isWord)
      rest = rest.dropFirst(token.count)
      label = add(token, after: label, separator)
    }
  }

  /// Adds a word or a number.
  /// - Returns: The label of a number that follows.
  private mutating func add(
    _ token: ArraySlice<UInt8>, after label: String, _ separator: UInt8
  ) -> String {
    let text = String(decoding: token.lazy.map(ASCII.lowercased), as: UTF8.self)
    if let value = Self.number(token) {
      let isInName = separator == UInt8(ascii: "-") || separator == UInt8(ascii: "_")
      numbers.append(Number(value: value, label: label, isInName: isInName))
      return ""
    }
    let letters = token.prefix { !ASCII.isDigit($0) }
    let word = String(decoding: letters.lazy.map(ASCII.lowercased), as: UTF8.self)
    if Self.pageWords.contains(word), let value = Self.number(token.dropFirst(letters.count)) {
      numbers.append(Number(value: value, label: word, isInName: false))
      return ""
    }
    let isOfPages = Self.pageWords.contains(text) || Self.offsetWords.contains(text)
    if !isOfPages, !Self.defaultWords.contains(text) { words.append(text) }
    return text
  }

  private static func number(_ token: ArraySlice<UInt8>) -> Int? {
    guard !token.isEmpty, token.count <= 9, token.allSatisfy(ASCII.isDigit) else { return nil }
    return Int(String(decoding: token, as: UTF8.self))
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte >= 0x80
      || byte == UInt8(ascii: "%")
  }

  /// Whether the other page continues this one.
  func isContinued(by next: PageContinuation) -> Bool {
    guard origin == next.origin, words == next.words else { return false }
    if next.numbers.count == numbers.count + 1 {
      return next.numbers.indices.contains { index in
        var others = next.numbers
        let added = others.remove(at: index)
        return others.map(\.value) == numbers.map(\.value) && Self.mayNumberPages(added)
      }
    }
    guard next.numbers.count == numbers.count else { return false }
    let changes = zip(numbers, next.numbers).filter { $0 != $1 }
    guard changes.count == 1, let (old, new) = changes.first, old.label == new.label,
      Self.mayNumberPages(new)
    else { return false }
    return Self.offsetWords.contains(new.label)
      ? new.value > old.value : new.value == old.value &+ 1
  }

  private static func mayNumberPages(_ number: Number) -> Bool {
    number.isInName || pageWords.contains(number.label) || offsetWords.contains(number.label)
  }
}
