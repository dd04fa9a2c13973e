import JSON

/// The calls of a message, in their order and in turns of limited work, so that one message of many calls delays
/// neither other clients nor the end of the program for long.
///
/// A short message is performed in one turn, that is, without calls of other messages in between.
public struct MessageExecution: Sendable {
  /// A multicall whose calls have not all been performed.
  private struct Multicall {
    let id: JSONValue
    var calls: ArraySlice<JSONValue>
    var results: [ResponseText] = []
  }

  private var dispatch: CallDispatch
  private let isBatch: Bool
  /// The reason why the message has no calls.
  private let failure: RPCError?
  private var requests: ArraySlice<JSONValue>
  private var multicall: Multicall?
  private var responses: [ResponseText] = []
  /// The status of the last response.
  private var status = 200

  /// - Parameters:
  ///   - authority: What the client's connection shows about its identity.
  ///   - metalinks: The files of the documents that the calls pass (`ClientMessage.metalinkDocuments`).
  public init(
    _ message: ClientMessage, _ authority: RPCAuthority,
    _ metalinks: MetalinkContents = MetalinkContents()
  ) {
    dispatch = CallDispatch(authority: authority, metalinks: metalinks)
    switch message.content {
    case .success(.single(let request)): (isBatch, requests, failure) = (false, [request], nil)
    case .success(.batch(let list)): (isBatch, requests, failure) = (true, list[...], nil)
    case .failure(let error): (isBatch, requests, failure) = (false, [], error)
    }
  }

  /// Whether a call has been authorised.
  public var wasAuthorised: Bool { dispatch.wasAuthorised }

  /// Performs the calls of one turn.
  /// - Returns: The reply; nil if calls are left for another turn.
  public mutating func advance(_ machine: inout Aria2Machine) -> RPCReply? {
    repeat {
      if let call = multicall?.calls.popFirst() {
        multicall?.results.append(dispatch.result(of: call, &machine))
      } else if let finished = multicall {
        multicall = nil
        respond((.response(finished.id, .list(finished.results)), 200))
      } else if let request = requests.popFirst() {
        begin(request, &machine)
      } else {
        return reply
      }
    } while !dispatch.endTurn()
    return nil
  }

  private mutating func begin(_ request: JSONValue, _ machine: inout Aria2Machine) {
    do throws(RPCFailure) {
      let call = try RPCCall(request)
      guard call.method == Method.multicall else {
        return respond(dispatch.respond(to: call, &machine))
      }
      do throws(RPCError) {
        let calls = try Parameters(CallDispatch.splitToken(call.parameters).rest).list(0)
        guard calls.count <= RPCMessage.countLimit else { throw .tooManyCalls }
        multicall = Multicall(id: call.id, calls: calls[...])
      } catch {
        throw RPCFailure(id: call.id, error: error)
      }
    } catch {
      respond((.response(error.id, error.error), error.error.httpStatus))
    }
  }

  private mutating func respond(_ answer: (response: ResponseText, status: Int)) {
    responses.append(answer.response)
    status = answer.status
  }

  private var reply: RPCReply {
    if let failure {
      return dispatch.reply(.response(.null, failure), failure.httpStatus)
    }
    guard !isBatch, let response = responses.first else {
      return dispatch.reply(.list(responses), 200)
    }
    return dispatch.reply(response, status, isSingle: true)
  }
}
