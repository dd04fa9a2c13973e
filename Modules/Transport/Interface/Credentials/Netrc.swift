/// Users and passwords of hosts, from a `.netrc` file as ftp and curl read it.
///
/// Only an entry with exactly the name of the host is used. `default` is parsed and ignored, because a source
/// may name any host.
public struct Netrc: Sendable, Equatable {
  private var entries: [String: BasicCredentials] = [:]

  /// - Throws: `CredentialFileError` with the number of the malformed line.
  public init(_ text: String) throws(CredentialFileError) {
    var reader = NetrcReader(text)
    var host: String?
    var login: String?
    var password: String?
    func keep(_ entries: inout [String: BasicCredentials]) {
      // The first entry of a host takes precedence. One without a login has an empty user name, as in curl; servers
      // with access tokens expect it.
      if let host, login != nil || password != nil, entries[host] == nil {
        entries[host] = BasicCredentials(user: login ?? "", password: password ?? "")
      }
    }
    while let word = try reader.next() {
      switch word {
      case "machine", "default":
        keep(&entries)
        host = word == "machine" ? try reader.value(of: word).lowercased() : nil
        (login, password) = (nil, nil)
      case "login":
        login = try reader.value(of: word)
        if login?.contains(":") == true { throw reader.error("a login with a colon") }
      case "password": password = try reader.value(of: word)
      case "account": _ = try reader.value(of: word)
      case "macdef":
        _ = try reader.value(of: word)
        reader.skipMacro()
      default: throw reader.error("machine, default, login, password or macdef is missing")
      }
    }
    keep(&entries)
  }

  /// Returns the entry of a host, or nil.
  /// - Parameter host: The name in lower case.
  public func credentials(for host: String) -> BasicCredentials? { entries[host] }

  public var isEmpty: Bool { entries.isEmpty }
}

/// The reason why a file of credentials cannot be parsed. Never includes contents of the file.
public struct CredentialFileError: Error, Sendable, Equatable {
  /// The number of the line, from 1.
  public let line: Int
  public let reason: String
}

/// Splits a netrc file into words.
private struct NetrcReader {
  private let characters: [Character]
  private var index = 0
  private var line = 1

  init(_ text: String) { characters = Array(text) }

  func error(_ reason: String) -> CredentialFileError {
    CredentialFileError(line: line, reason: reason)
  }

  mutating func value(of word: String) throws(CredentialFileError) -> String {
    let start = line
    guard let value = try next() else {
      throw CredentialFileError(line: start, reason: "\(word) without a value")
    }
    guard !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
      throw error("a control character in the value of \(word)")
    }
    return value
  }

  mutating func next() throws(CredentialFileError) -> String? {
    while index < characters.count {
      if characters[index] == "#" {
        while index < characters.count, !characters[index].isNewline { index += 1 }
      } else if characters[index].isWhitespace {
        step()
      } else {
        return characters[index] == "\"" ? try quoted() : plain()
      }
    }
    return nil
  }

  private mutating func step() {
    if characters[index].isNewline { line += 1 }
    index += 1
  }

  private mutating func plain() -> String {
    let start = index
    while index < characters.count, !characters[index].isWhitespace { index += 1 }
    return String(characters[start..<index])
  }

  /// Reads a quoted word as curl does, with `\"`, `\\`, `\n`, `\r` and `\t`.
  private mutating func quoted() throws(CredentialFileError) -> String {
    index += 1
    var text = ""
    while index < characters.count, characters[index] != "\"" {
      if characters[index] == "\\", index + 1 < characters.count {
        index += 1
        let escapes: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]
        text.append(escapes[characters[index]] ?? characters[index])
      } else if characters[index].isNewline {
        throw error("an unterminated quotation")
      } else {
        text.append(characters[index])
      }
      index += 1
    }
    guard index < characters.count else { throw error("an unterminated quotation") }
    index += 1
    return text
  }

  /// Skips a macro definition, which ends at an empty line.
  mutating func skipMacro() {
    var isEmptyLine = false
    while index < characters.count {
      let isEnd = characters[index].isNewline
      if isEnd && isEmptyLine { return }
      isEmptyLine = isEnd
      step()
    }
  }
}
