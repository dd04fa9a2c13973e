import JSON

/// The dispatch of the calls of one message, with the limits of the message.
struct CallDispatch {
  private let authority: RPCAuthority
  private let metalinks: MetalinkContents
  private var wasRefused = false
  private(set) var wasAuthorised = false
  private var callCount = 0
  /// The size of the results so far in bytes.
  private var resultBytes = 0
  /// Whether a result was too long.
  private var isOverLimit = false
  /// The values of `callCount` and `resultBytes` at the beginning of the current turn.
  private var turnStart = (calls: 0, bytes: 0)

  /// The maximum size of the results of a message in bytes.
  static let sizeLimit = 64 << 20
  /// The same for a client whose calls have not been authorised, which can call the open methods only.
  static let openSizeLimit = 1 << 20
  /// The size of a result that is returned even if it exceeds the limit, in bytes. A method that changes
  /// something has a short result, so that no change is reported as an error.
  private static let shortResult = 1_024

  static func tooLong(_ limit: Int) -> RPCError {
    RPCError("The results of a message are longer than \(limit >> 20) MiB; ask for less at a time.")
  }

  /// The number of calls, and the size of their results in bytes, after which other messages have a turn.
  private static let turn = (calls: 200, bytes: 256 << 10)

  /// Whether the current turn is over; the next one then begins.
  mutating func endTurn() -> Bool {
    guard
      callCount - turnStart.calls >= Self.turn.calls
        || resultBytes - turnStart.bytes >= Self.turn.bytes
    else { return false }
    turnStart = (callCount, resultBytes)
    return true
  }

  init(authority: RPCAuthority, metalinks: MetalinkContents) {
    self.authority = authority
    self.metalinks = metalinks
  }

  func reply(_ text: ResponseText, _ status: Int, isSingle: Bool = false) -> RPCReply {
    var (text, status) = (text, status)
    // Errors, and the ids that a client has chosen, count as well. Nothing has been changed without the secret.
    if isOpen, text.bytes.count > Self.openSizeLimit {
      let error = Self.tooLong(Self.openSizeLimit)
      (text, status) = (.response(.null, error), error.httpStatus)
    }
    return RPCReply(
      text: text, isSingle: isSingle, httpStatus: status, wasRefused: wasRefused,
      wasAuthorised: wasAuthorised)
  }

  /// Performs a request that is not a multicall.
  mutating func respond(
    to call: RPCCall, _ machine: inout Aria2Machine
  ) -> (response: ResponseText, status: Int) {
    do throws(RPCError) {
      let (result, dependency) = try result(of: call.method, call.parameters, &machine)
      var response = ResponseText.response(call.id, result)
      if let dependency { response.mark(dependency, id: call.id) }
      return (response, 200)
    } catch {
      return (.response(call.id, error), error.httpStatus)
    }
  }

  /// Performs a call within a multicall, which has a token of its own. Its result is in a list of its own, its error
  /// is not.
  mutating func result(of call: JSONValue, _ machine: inout Aria2Machine) -> ResponseText {
    do throws(RPCError) {
      let (text, dependency) = try inner(call, &machine)
      var result = ResponseText.list([text])
      if let dependency { result.mark(dependency, id: nil) }
      return result
    } catch {
      return ResponseText(error.json.bytes)
    }
  }

  /// Performs a call, and returns the JSON of its result, so that not all results of a message are in memory
  /// as values.
  /// - Returns: The text, and why it depends on a write of the session file; nil if it does not.
  private mutating func result(
    of name: String, _ parameters: [JSONValue], _ machine: inout Aria2Machine
  ) throws(RPCError) -> (text: ResponseText, dependency: ResponseText.Dependency?) {
    guard callCount < RPCMessage.countLimit else { throw .tooManyCalls }
    callCount += 1
    let (token, rest) = Self.splitToken(parameters)
    let method = Method.named(name)
    // The existence of a method is not revealed to a client without the secret.
    if method?.isOpen != true { try authorize(token) }
    guard let method else { throw RPCError("No such method: \(name.prefix(80))") }
    let limit = limit(machine)
    // After a result that was too long, nothing more is performed: the client cannot use the rest, and each further
    // call could take as much work as the refused one.
    guard !isOverLimit, resultBytes < limit else { throw Self.tooLong(limit) }
    let changeCount = machine.changeCount
    let result: [UInt8]
    do throws(RPCError) {
      result = try method.run(&machine, Parameters(rest, metalinks)).bytes
    } catch {
      isOverLimit = error == Self.tooLong(limit)
      throw error
    }
    guard result.count <= max(limit - resultBytes, Self.shortResult) else {
      isOverLimit = true
      throw Self.tooLong(limit)
    }
    resultBytes += result.count
    if name == Method.saveSession { return (ResponseText(result), .save) }
    return (ResponseText(result), machine.changeCount == changeCount ? nil : .change)
  }

  /// Whether no call has been authorised.
  private var isOpen: Bool { !wasAuthorised && !authority.isGranted }

  /// Returns the maximum size of the results in bytes.
  private func limit(_ machine: Aria2Machine) -> Int {
    isOpen ? Self.openSizeLimit : machine.configuration.resultLimit
  }

  /// Checks the token of a call. After a wrong token, all further calls of the message are refused without a
  /// comparison, so that the delay of the response is the time for one guess.
  private mutating func authorize(_ token: String?) throws(RPCError) {
    guard !wasRefused, authority.isGranted || token.map(authority.isSecret) ?? false else {
      wasRefused = true
      throw .unauthorised
    }
    wasAuthorised = true
  }

  /// Removes the token from the parameters. It is removed even if the server has no secret.
  static func splitToken(_ parameters: [JSONValue]) -> (token: String?, rest: [JSONValue]) {
    let prefix = "token:"
    guard let first = parameters.first?.text, first.hasPrefix(prefix) else {
      return (nil, parameters)
    }
    return (String(first.dropFirst(prefix.count)), Array(parameters.dropFirst()))
  }

  private mutating func inner(
    _ call: JSONValue, _ machine: inout Aria2Machine
  ) throws(RPCError) -> (text: ResponseText, dependency: ResponseText.Dependency?) {
    guard case .object = call else { throw RPCError("system.multicall expected struct.") }
    guard let name = call["methodName"]?.text else { throw RPCError("Missing methodName.") }
    guard name != Method.multicall else { throw RPCError("Recursive system.multicall forbidden.") }
    switch call["params"] {
    case nil: return try result(of: name, [], &machine)
    case .array(let parameters)?: return try result(of: name, parameters, &machine)
    case .some: throw .invalidParameters
    }
  }
}
