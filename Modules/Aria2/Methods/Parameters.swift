import JSON

/// The positional parameters of a call, without the token. Indexes count from 0, as in aria2's messages.
struct Parameters {
  let values: [JSONValue]
  private let metalinks: MetalinkContents

  init(_ values: [JSONValue], _ metalinks: MetalinkContents = MetalinkContents()) {
    self.values = values
    self.metalinks = metalinks
  }

  /// Returns the files of the Metalink document that is the first parameter.
  func metalinkFiles() throws(RPCError) -> [MetalinkFile] {
    try metalinks.files(of: try text(0))
  }

  func text(_ index: Int) throws(RPCError) -> String {
    guard let text = try optionalText(index) else { throw missing(index) }
    return text
  }

  func optionalText(_ index: Int) throws(RPCError) -> String? {
    try optional(index, \.text)
  }

  func integer(_ index: Int) throws(RPCError) -> Int {
    guard let number = try optionalInteger(index) else { throw missing(index) }
    return number
  }

  func optionalInteger(_ index: Int) throws(RPCError) -> Int? {
    try optional(index, \.integer)
  }

  /// Returns an integer with a lower bound.
  func integer(_ index: Int, atLeast minimum: Int) throws(RPCError) -> Int {
    let number = try integer(index)
    guard number >= minimum else {
      throw RPCError(
        "The integer parameter at \(index) has invalid value: "
          + "the value must be greater than or equal to \(minimum).")
    }
    return number
  }

  /// Returns a position in a list; nil means the end.
  func optionalPosition(_ index: Int) throws(RPCError) -> Int? {
    guard let position = try optionalInteger(index) else { return nil }
    guard position >= 0 else { throw RPCError("Position must be greater than or equal to 0.") }
    return position
  }

  /// Returns a list of texts; other elements are refused.
  func texts(_ index: Int) throws(RPCError) -> [String] {
    guard let texts = try optionalTexts(index) else { throw missing(index) }
    return texts
  }

  func optionalTexts(_ index: Int) throws(RPCError) -> [String]? {
    guard let list = try optional(index, \.array) else { return nil }
    let texts = list.compactMap(\.text)
    guard texts.count == list.count else { throw wrongType(index) }
    return texts
  }

  func list(_ index: Int) throws(RPCError) -> [JSONValue] {
    guard let list = try optional(index, \.array) else { throw missing(index) }
    return list
  }

  /// Returns the members of an object.
  func requiredMembers(_ index: Int) throws(RPCError) -> [JSONValue.Member] {
    guard index < values.count else { throw missing(index) }
    return try members(index)
  }

  /// Returns the members of an object; none if the parameter is missing.
  func members(_ index: Int) throws(RPCError) -> [JSONValue.Member] {
    guard index < values.count else { return [] }
    guard case .object(let members) = values[index] else { throw wrongType(index) }
    return members
  }

  private func optional<Value>(
    _ index: Int, _ read: (JSONValue) -> Value?
  ) throws(RPCError) -> Value? {
    guard index < values.count else { return nil }
    guard let value = read(values[index]) else { throw wrongType(index) }
    return value
  }

  private func missing(_ index: Int) -> RPCError {
    RPCError("The parameter at \(index) is required but missing.")
  }

  private func wrongType(_ index: Int) -> RPCError {
    RPCError("The parameter at \(index) has wrong type.")
  }
}
