import Markup
import WorkerProcess

private enum ItemKind: UInt8 {
  case rule = 1
  case base, title, entry, document, nextPage, problem, remark, truncation, referrerPolicy
}

extension FrameWriter {
  mutating func append(_ item: MarkupItem) {
    switch item {
    case .rule(let rule): append(.rule, rule.rawValue)
    case .base(let url): append(.base, url)
    case .title(let text): append(.title, text)
    case .referrerPolicy(let text): append(.referrerPolicy, text)
    case .entry(let entry):
      append(.entry, entry.url)
      for text in [entry.title, entry.name, entry.checksum, entry.referrerPolicy] {
        append(optional: text) { $0.append($1) }
      }
      append(optional: entry.byteCount) { $0.append($1) }
      append(list: entry.mirrors) { $0.append($1) }
    case .document(let url, let link):
      append(.document, url)
      append(link.rawValue)
    case .nextPage(let url): append(.nextPage, url)
    case .problem(let text): append(.problem, text)
    case .truncation(let text): append(.truncation, text)
    case .remark(let text, let line):
      append(.remark, text)
      append(optional: line.map { Int64($0) }) { $0.append($1) }
    }
  }

  private mutating func append(_ kind: ItemKind, _ text: String) {
    append(kind.rawValue)
    append(text)
  }
}

extension FrameReader {
  /// Reads an item of an untrusted worker, which must be within the bounds of `MarkupItem.bounded`.
  mutating func markupItem() throws(WorkerError) -> MarkupItem {
    switch ItemKind(rawValue: try integer()) {
    case .rule: return .rule(try rule())
    case .base: return .base(try markupURL())
    case .title: return .title(try markupText())
    case .referrerPolicy: return .referrerPolicy(try markupText())
    case .entry: return .entry(try markupEntry())
    case .document: return .document(try markupURL(), try markupLink())
    case .nextPage: return .nextPage(try markupURL())
    case .problem: return .problem(try markupText())
    case .truncation: return .truncation(try markupText())
    case .remark: return .remark(try markupText(), line: try line())
    case nil: throw WorkerError(.malformed, "an item of an unknown kind")
    }
  }

  private mutating func markupEntry() throws(WorkerError) -> MarkupEntry {
    var entry = MarkupEntry(url: try markupURL())
    entry.title = try optionalText()
    entry.name = try optionalText()
    entry.checksum = try optionalText()
    entry.referrerPolicy = try optionalText()
    entry.byteCount = try optional { (reader) throws(WorkerError) in
      try reader.integer(Int64.self)
    }
    guard entry.byteCount ?? 0 >= 0 else {
      throw WorkerError(.malformed, "a negative size")
    }
    entry.mirrors = try list { (reader) throws(WorkerError) in try reader.markupURL() }
    guard entry.mirrors.count <= MarkupItem.maximumMirrors else {
      throw WorkerError(.malformed, "an entry with \(entry.mirrors.count) mirrors")
    }
    return entry
  }

  private mutating func line() throws(WorkerError) -> Int? {
    let line = try optional { (reader) throws(WorkerError) in try reader.integer(Int64.self) }
    guard line ?? 1 >= 1 else { throw WorkerError(.malformed, "a line before the first one") }
    return line.map { Int(clamping: $0) }
  }

  private mutating func markupURL() throws(WorkerError) -> String {
    let url = try string()
    guard url.utf8.count <= MarkupItem.maximumURLLength else {
      throw WorkerError(.malformed, "a URL of \(url.utf8.count) bytes")
    }
    return url
  }

  mutating func markupText() throws(WorkerError) -> String {
    let text = try string()
    guard text.utf8.count <= MarkupItem.maximumTextLength else {
      throw WorkerError(.malformed, "a text of \(text.utf8.count) bytes")
    }
    return text
  }

  private mutating func optionalText() throws(WorkerError) -> String? {
    try optional { (reader) throws(WorkerError) in try reader.markupText() }
  }

  private mutating func markupLink() throws(WorkerError) -> MarkupLink {
    guard let link = MarkupLink(rawValue: try integer()) else {
      throw WorkerError(.malformed, "a link of an unknown kind")
    }
    return link
  }
}
