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
        return dispatch.reply(CallDispatch.list(responses), 200)
      }
    } catch {
      return dispatch.reply(CallDispatch.response(.null, error), error.httpStatus)
    }
  }
}
