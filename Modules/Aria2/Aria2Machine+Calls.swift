/// Answers to messages of clients.
extension Aria2Machine {
  /// Performs the calls of a message, in order.
  /// - Parameters:
  ///   - message: The JSON text.
  ///   - authority: What the client's connection shows about its identity.
  public mutating func handle(_ message: [UInt8], _ authority: RPCAuthority) -> RPCReply {
    var dispatch = CallDispatch(authority: authority)
    do throws(RPCError) {
      switch try RPCMessage(message) {
      case .single(let request):
        let (response, status) = dispatch.respond(to: request, &self)
        return dispatch.reply(response, status)
      case .batch(let requests):
        let responses = requests.map { dispatch.respond(to: $0, &self).response }
        return dispatch.reply(.list(responses), 200)
      }
    } catch {
      return dispatch.reply(CallDispatch.response(.null, error), error.httpStatus)
    }
  }
}

/// The dispatch of the calls of one message.
private struct CallDispatch {
  let authority: RPCAuthority
  private var wasRefused = false
  private var wasAuthorised = false

  init(authority: RPCAuthority) { self.authority = authority }

  func reply(_ value: JSON, _ status: Int) -> RPCReply {
    RPCReply(
      body: value.bytes, httpStatus: status, wasRefused: wasRefused, wasAuthorised: wasAuthorised)
  }

  static func response(_ id: JSON, _ error: RPCError) -> JSON {
    ["id": id, "jsonrpc": .text("2.0"), "error": error.json]
  }

  mutating func respond(
    to request: JSON, _ machine: inout Aria2Machine
  ) -> (response: JSON, status: Int) {
    do throws(RPCFailure) {
      let call = try RPCCall(request)
      do throws(RPCError) {
        let result = try result(of: call.method, call.parameters, &machine)
        return (["id": call.id, "jsonrpc": .text("2.0"), "result": result], 200)
      } catch {
        throw RPCFailure(id: call.id, error: error)
      }
    } catch {
      return (Self.response(error.id, error.error), error.error.httpStatus)
    }
  }

  private mutating func result(
    of name: String, _ parameters: [JSON], _ machine: inout Aria2Machine
  ) throws(RPCError) -> JSON {
    if name == Method.multicall { return try multicall(parameters, &machine) }
    let (token, rest) = Self.splitToken(parameters)
    let method = Method.named(name)
    // The existence of a method is not revealed to a client without the secret.
    if method?.isOpen != true { try authorize(token) }
    guard let method else { throw RPCError("No such method: \(name.prefix(80))") }
    return try method.run(&machine, Parameters(rest))
  }

  private mutating func authorize(_ token: String?) throws(RPCError) {
    guard authority.isGranted || token.map(authority.isSecret) ?? false else {
      wasRefused = true
      throw .unauthorised
    }
    wasAuthorised = true
  }

  /// Removes the token from the parameters. It is removed even if the server has no secret.
  private static func splitToken(_ parameters: [JSON]) -> (token: String?, rest: [JSON]) {
    let prefix = "token:"
    guard let first = parameters.first?.text, first.hasPrefix(prefix) else {
      return (nil, parameters)
    }
    return (String(first.dropFirst(prefix.count)), Array(parameters.dropFirst()))
  }

  /// Performs several calls, each of which has its own token. The result of a call is in a list of its own,
  /// its error is not.
  private mutating func multicall(
    _ parameters: [JSON], _ machine: inout Aria2Machine
  ) throws(RPCError) -> JSON {
    let calls = try Parameters(Self.splitToken(parameters).rest).list(0)
    guard calls.count <= RPCMessage.countLimit else {
      throw RPCError("A multicall has at most \(RPCMessage.countLimit) calls.")
    }
    var results: [JSON] = []
    for call in calls {
      do throws(RPCError) {
        results.append(.list([try inner(call, &machine)]))
      } catch {
        results.append(error.json)
      }
    }
    return .list(results)
  }

  private mutating func inner(
    _ call: JSON, _ machine: inout Aria2Machine
  ) throws(RPCError) -> JSON {
    guard case .object = call else { throw RPCError("system.multicall expected struct.") }
    guard let name = call["methodName"]?.text else { throw RPCError("Missing methodName.") }
    guard name != Method.multicall else { throw RPCError("Recursive system.multicall forbidden.") }
    switch call["params"] {
    case nil: return try result(of: name, [], &machine)
    case .list(let parameters)?: return try result(of: name, parameters, &machine)
    case .some: throw .invalidParameters
    }
  }
}
