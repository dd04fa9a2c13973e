import JSON

/// The body of `POST /v1/batch`: calls that the server makes one after another.
struct BatchMessage: Codable, Equatable {
  struct Call: Codable, Equatable {
    /// The method; `GET` if missing.
    var method: String?
    /// The path with the query.
    var path: String
    var body: JSONValue?
  }

  var calls: [Call]
}

/// The response to `POST /v1/batch`: the responses to its calls, in the order of the calls.
struct BatchAnswerMessage: Codable, Equatable {
  struct Answer: Codable, Equatable {
    var status: Int
    /// The JSON body of the response; missing if the response has no body.
    var body: JSONValue?
  }

  var answers: [Answer]
}
