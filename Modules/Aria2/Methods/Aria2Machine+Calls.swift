/// Answers to messages of clients.
extension Aria2Machine {
  /// Performs the calls of a message, in order and all at once.
  /// - Parameters:
  ///   - authority: What the client's connection shows about its identity.
  ///   - metalinks: The files of the documents that the calls pass (`ClientMessage.metalinkDocuments`).
  public mutating func handle(
    _ message: ClientMessage, _ authority: RPCAuthority,
    _ metalinks: MetalinkContents = MetalinkContents()
  ) -> RPCReply {
    var execution = MessageExecution(message, authority, metalinks)
    while true {
      if let reply = execution.advance(&self) { return reply }
    }
  }
}
