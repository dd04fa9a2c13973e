/// A message of a client whose calls have not been performed yet.
public struct ClientMessage: Sendable {
  /// The requests, or the reason why the message has none.
  let content: Result<RPCMessage, RPCError>

  /// - Parameter bytes: The JSON text.
  public init(_ bytes: [UInt8]) {
    do throws(RPCError) {
      content = .success(try RPCMessage(bytes))
    } catch {
      content = .failure(error)
    }
  }
}
