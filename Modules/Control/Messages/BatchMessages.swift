/// `POST /v1/batch`: calls that are made one after another.
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

/// The responses, in the order of the calls.
struct BatchAnswerMessage: Codable, Equatable {
  struct Answer: Codable, Equatable {
    var status: Int
    /// The JSON body of the response; missing if it has none.
    var body: JSONValue?
  }

  var answers: [Answer]
}
