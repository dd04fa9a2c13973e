/// Answers to messages of clients.
extension Aria2Machine {
  /// Performs the calls of a message, in order.
  /// - Parameters:
  ///   - authority: What the client's connection shows about its identity.
  ///   - metalinks: The files of the documents that the calls pass (`ClientMessage.metalinkDocuments`).
  public mutating func handle(
    _ message: ClientMessage, _ authority: RPCAuthority,
    _ metalinks: MetalinkContents = MetalinkContents()
  ) -> RPCReply {
    var dispatch = CallDispatch(authority: authority, metalinks: metalinks)
    do throws(RPCError) {
      switch try message.content.get() {
      case .single(let request):
        let (response, status) = dispatch.respond(to: request, &self)
        return dispatch.reply(response, status, isSingle: true)
      case .batch(let requests):
        let responses = requests.map { dispatch.respond(to: $0, &self).response }
        return dispatch.reply(.list(responses), 200)
      }
    } catch {
      return dispatch.reply(.response(.null, error), error.httpStatus)
    }
  }
}
