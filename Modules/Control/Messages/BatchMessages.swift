/// `POST /v1/batch`: calls that are made one after another.
struct BatchMessage: Codable, Equatable {
  struct Call: Codable, Equatable {
    /// `GET` without.
    var method: String?
    /// With the query.
    var path: String
    var body: JSONValue?
  }

  var calls: [Call]
}

/// The answers, in the order of the calls.
struct BatchAnswerMessage: Codable, Equatable {
  struct Answer: Codable, Equatable {
    var status: Int
    /// Missing where there is nothing to say.
    var body: JSONValue?
  }

  var answers: [Answer]
}
