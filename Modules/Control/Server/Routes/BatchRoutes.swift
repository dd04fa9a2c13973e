import HTTP1
import JSON
import Models

extension Router {
  /// The maximum number of calls in one request.
  static let batchLimit = 100

  /// Returns the route for a batch of calls.
  /// - Parameter router: The router that handles the calls. Since it has no batch route, batches cannot be
  ///   nested.
  static func batch(_ router: Router) -> Route {
    Route("POST", "/v1/batch") { call in
      let message = try call.message(BatchMessage.self)
      guard message.calls.count <= batchLimit else {
        throw ControlError(.tooManyCalls, "more than \(batchLimit) calls in one request")
      }
      var answers: [BatchAnswerMessage.Answer] = []
      for part in message.calls {
        try Task.checkCancellation()
        answers.append(await router.respond(to: part, of: call.request))
      }
      return .whole(try .json(BatchAnswerMessage(answers: answers)))
    }
  }

  private func respond(
    to call: BatchMessage.Call, of batch: ControlRequest
  ) async -> BatchAnswerMessage.Answer {
    let response: ControlResponse
    do {
      switch await respond(to: try Self.request(call, of: batch)) {
      case .whole(let whole): response = whole
      case .stream, .file:
        throw ControlError(.badBody, "\(call.path) cannot be a part of a batch")
      }
    } catch {
      response = .problem(ProblemMessage(wrapping: error))
    }
    let body = try? JSONText.decode(JSONValue.self, from: response.body)
    return BatchAnswerMessage.Answer(status: response.status, body: body)
  }

  private static func request(
    _ call: BatchMessage.Call, of batch: ControlRequest
  ) throws -> ControlRequest {
    let target: RequestTarget
    do throws(HTTPParseError) {
      target = try RequestTarget(call.path)
    } catch {
      throw ControlError(error)
    }
    let fields = HTTPFields(["Content-Type": "application/json"])
    return ControlRequest(
      method: call.method ?? "GET", target: target, fields: fields,
      body: try call.body.map { try JSONText.encode($0) } ?? [], keepsConnection: true,
      listener: batch.listener, token: batch.token)
  }
}
