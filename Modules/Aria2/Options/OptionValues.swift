import JSON

/// The values of options, of one download or of the server. Options that this program does not know are kept
/// as texts, so that a client reads what it has written.
struct OptionValues: Sendable, Equatable {
  private(set) var values: [String: String] = [:]
  /// The values of `header`, which may be given several times.
  private(set) var headers: [String] = []

  /// The size of all names and values in bytes, with `valueCost` for each value.
  private(set) var byteCount = 0

  /// The maximum of `byteCount`.
  static let sizeLimit = 65_536
  /// The bytes that a value counts beside its text, so that the number of values is bounded as well. A value
  /// needs fewer bytes beside its text in the session file.
  private static let valueCost = 32

  var names: [String] { values.keys.sorted() + (headers.isEmpty ? [] : ["header"]) }

  subscript(name: String) -> String? { values[name] }

  func isTrue(_ name: String) -> Bool { values[name] == "true" }

  func integer(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

  /// Sets an option after checking its value.
  mutating func set(_ name: String, to value: String) throws(RPCError) {
    let definition = OptionTable.definition(name)
    guard definition?.kind == .texts else {
      try Self.check(name, value)
      let normalized = try definition?.normalized(value) ?? value
      let cost = Self.cost(name, normalized) - (values[name].map { Self.cost(name, $0) } ?? 0)
      try checkSize(adding: cost)
      assign(name, normalized)
      return
    }
    // Clients return the values as `json` has joined them.
    for line in value.utf8.split(separator: 0x0a) {
      let header = String(decoding: line.last == 0x0d ? line.dropLast() : line, as: UTF8.self)
      try Self.check(name, header)
      try checkSize(adding: Self.cost(name, header))
      headers.append(header)
      byteCount += Self.cost(name, header)
    }
  }

  private static func check(_ name: String, _ value: String) throws(RPCError) {
    // A name that begins with `#` would be a comment of the session file.
    guard let first = name.utf8.first, first != UInt8(ascii: "#"),
      !name.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "=") }),
      !value.utf8.contains(where: { $0 == 0 || $0 == 0x0a || $0 == 0x0d })
    else { throw RPCError("The option \"\(name.prefix(80))\" has an invalid name or value.") }
  }

  private func checkSize(adding count: Int) throws(RPCError) {
    guard byteCount + count <= Self.sizeLimit else {
      throw RPCError(
        "The options are longer than \(Self.sizeLimit) bytes, of which each takes \(Self.valueCost)."
      )
    }
  }

  private static func cost(_ name: String, _ value: String) -> Int {
    name.utf8.count + value.utf8.count + valueCost
  }

  private mutating func assign(_ name: String, _ value: String) {
    remove(name)
    values[name] = value
    byteCount += Self.cost(name, value)
  }

  private mutating func removeHeaders() {
    for header in headers { byteCount -= Self.cost("header", header) }
    headers = []
  }

  /// Sets options from an object; lists are allowed for options that can be given several times.
  mutating func set(_ members: [JSONValue.Member]) throws(RPCError) {
    // A client cannot change the options of the program, such as the secret, and other clients must not read them.
    for member in members where !ServerArguments.isOfProgram(member.name) {
      if OptionTable.definition(member.name)?.kind == .texts { removeHeaders() }
      switch member.value {
      case .string(let text): try set(member.name, to: text)
      case .array(let list):
        for item in list {
          guard let text = item.text else { throw Self.wrongType(member.name) }
          try set(member.name, to: text)
        }
      // Clients such as AriaNg pass texts only; other types are accepted where their meaning is plain.
      case .bool(let flag): try set(member.name, to: "\(flag)")
      case .number(let number): try set(member.name, to: number)
      case .null, .object: throw Self.wrongType(member.name)
      }
    }
  }

  /// Returns these values over those of the server.
  func over(_ global: OptionValues) -> OptionValues {
    var all = global
    for (name, value) in values { all.assign(name, value) }
    if !headers.isEmpty {
      all.removeHeaders()
      all.headers = headers
      for header in headers { all.byteCount += Self.cost("header", header) }
    }
    return all
  }

  mutating func remove(_ name: String) {
    guard let value = values.removeValue(forKey: name) else { return }
    byteCount -= Self.cost(name, value)
  }

  /// The values as a client reads them, ordered by name; header fields are joined by line feeds.
  var json: JSONValue {
    var members = values.map { JSONValue.Member($0.key, .string($0.value)) }
    if !headers.isEmpty {
      members.append(JSONValue.Member("header", .string(headers.joined(separator: "\n"))))
    }
    return .object(members.sorted { $0.name < $1.name })
  }

  private static func wrongType(_ name: String) -> RPCError {
    RPCError("The option \(name.prefix(80)) is not a text.")
  }
}
