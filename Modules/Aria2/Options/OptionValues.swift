/// The values of options, of one download or of the server. Options that this program does not know are kept
/// as texts, so that a client reads what it has written.
struct OptionValues: Sendable, Equatable {
  private(set) var values: [String: String] = [:]
  /// The values of `header`, which may be given several times.
  private(set) var headers: [String] = []

  /// The maximum size of all values of a download in bytes.
  static let sizeLimit = 65_536

  var names: [String] { values.keys.sorted() + (headers.isEmpty ? [] : ["header"]) }

  subscript(name: String) -> String? { values[name] }

  func isTrue(_ name: String) -> Bool { values[name] == "true" }

  func integer(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

  /// Sets an option after checking its value.
  mutating func set(_ name: String, to value: String) throws(RPCError) {
    guard !name.isEmpty, !name.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "=") }),
      !value.utf8.contains(where: { $0 == 0 || $0 == 0x0a || $0 == 0x0d })
    else { throw RPCError("The option \(name.prefix(80)) has an invalid name or value.") }
    let definition = OptionTable.definition(name)
    let normalized = try definition?.normalized(value) ?? value
    if definition?.kind == .texts { headers.append(normalized) } else { values[name] = normalized }
    guard size <= Self.sizeLimit else {
      throw RPCError("The options are longer than \(Self.sizeLimit) bytes.")
    }
  }

  /// Sets options from an object; lists are allowed for options that can be given several times.
  mutating func set(_ members: [JSON.Member]) throws(RPCError) {
    for member in members {
      if OptionTable.definition(member.name)?.kind == .texts { headers = [] }
      switch member.value {
      case .text(let text): try set(member.name, to: text)
      case .list(let list):
        for item in list {
          guard let text = item.text else { throw Self.wrongType(member.name) }
          try set(member.name, to: text)
        }
      // Clients such as AriaNg pass texts only; other types are accepted where their meaning is plain.
      case .flag(let flag): try set(member.name, to: "\(flag)")
      case .number(let number): try set(member.name, to: number)
      case .null, .object: throw Self.wrongType(member.name)
      }
    }
  }

  /// Returns these values over those of the server.
  func over(_ global: OptionValues) -> OptionValues {
    var all = global
    for (name, value) in values { all.values[name] = value }
    if !headers.isEmpty { all.headers = headers }
    return all
  }

  mutating func remove(_ name: String) { values[name] = nil }

  /// The values as a client reads them, ordered by name; header fields are joined by line feeds.
  var json: JSON {
    var members = values.map { JSON.Member($0.key, .text($0.value)) }
    if !headers.isEmpty {
      members.append(JSON.Member("header", .text(headers.joined(separator: "\n"))))
    }
    return .object(members.sorted { $0.name < $1.name })
  }

  private var size: Int {
    values.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
      + headers.reduce(0) { $0 + $1.utf8.count }
  }

  private static func wrongType(_ name: String) -> RPCError {
    RPCError("The option \(name.prefix(80)) is not a text.")
  }
}
