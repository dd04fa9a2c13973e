/// The files that a Metalink document lists: version 4 (RFC 5854) and version 3.
enum Metalink {
  struct File: Equatable {
    /// The name for the file, without folders.
    var name: String
    /// The HTTP URIs, the preferred one first.
    var uris: [String] = []
    /// The SHA-256 of the file as hexadecimal digits.
    var sha256: String?
  }

  /// The maximum number of files of a document.
  static let fileLimit = 1_000

  /// - Throws: An error if the document is not XML, or names no file with an HTTP URI.
  static func files(in bytes: [UInt8]) throws(RPCError) -> [File] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RPCError("The Metalink document is not UTF-8.")
    }
    var scanner = MarkupScanner(text)
    var reading = Reading()
    while let token = try scanner.next() { try reading.handle(token) }
    let files = reading.files.filter { !$0.uris.isEmpty }
    guard !files.isEmpty else { throw RPCError("No files to download.") }
    return files
  }

  private struct Reading {
    struct Link {
      let uri: String
      /// Smaller values are preferred.
      let priority: Int
    }

    var files: [File] = []
    private var path: [String] = []
    private var attributes: [String: String] = [:]
    private var content = ""
    private var file: File?
    private var links: [Link] = []

    mutating func handle(_ token: MarkupScanner.Token) throws(RPCError) {
      switch token {
      case .start(let name, let attributes):
        path.append(name)
        self.attributes = attributes
        content = ""
        if name == "file", file == nil {
          file = File(name: attributes["name"] ?? "")
          links = []
        }
      case .text(let text): content += text
      case .end(let name):
        endElement(name)
        if path.last == name { path.removeLast() }
        if name == "file" { try endFile() }
        content = ""
      }
    }

    private mutating func endElement(_ name: String) {
      guard file != nil else { return }
      let text = content.trimmingBlanks
      if name == "url" {
        // Version 4 numbers the links by preference; version 3 weighs them up to 100.
        let priority =
          attributes["priority"].flatMap { Int($0) }
          ?? attributes["preference"].flatMap { Int($0) }.map { 1_000_000 - min(100, max(0, $0)) }
          ?? 999_999
        if Aria2Machine.isSupported(text) { links.append(Link(uri: text, priority: priority)) }
      } else if name == "hash", !path.dropLast().contains("pieces"),
        ["sha-256", "sha256"].contains(attributes["type"] ?? ""),
        Checksum("sha-256=\(text)") != nil
      {
        file?.sha256 = text.lowercased()
      }
    }

    private mutating func endFile() throws(RPCError) {
      guard var file else { return }
      self.file = nil
      guard files.count < Metalink.fileLimit else {
        throw RPCError("The Metalink document has more than \(Metalink.fileLimit) files.")
      }
      // RFC 5854 §4.1.2.1: the name may contain folders, which must not lead anywhere.
      file.name = file.name.split(separator: "/").last.map(String.init) ?? ""
      if file.name.isEmpty || file.name == "." || file.name == ".." { file.name = "download" }
      // The sort is stable, so that links of equal preference keep their order.
      file.uris = links.enumerated().sorted {
        ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset)
      }.map(\.element.uri)
      files.append(file)
    }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
    var text = self[...]
    while let first = text.first, blanks.contains(first) { text = text.dropFirst() }
    while let last = text.last, blanks.contains(last) { text = text.dropLast() }
    return String(text)
  }
}
