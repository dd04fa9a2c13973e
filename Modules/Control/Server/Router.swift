import HTTP1
import LibraryAPI
import Models

/// The handler for one method of one path.
struct Route: Sendable {
  enum Segment: Sendable, Equatable {
    case literal(String)
    case parameter(String)
  }

  let method: String
  let pattern: [Segment]
  /// The names of the accepted query parameters.
  let query: Set<String>
  /// The listeners through which the route can be reached.
  let listeners: Set<ListenerKind>
  /// Whether the body is a file (`application/octet-stream`) that the server writes to disk, not a JSON
  /// message.
  let takesFile: Bool
  let answer: @Sendable (Call) async throws -> ControlReply

  /// - Parameters:
  ///   - path: A pattern such as `/v1/records/{record}/pause`; a name in braces is a parameter.
  ///   - query: The names of the query parameters that are accepted; all others are refused.
  init(
    _ method: String, _ path: String, query: Set<String> = [],
    through listeners: Set<ListenerKind> = [.unixSocket, .loopback], takesFile: Bool = false,
    _ answer: @escaping @Sendable (Call) async throws -> ControlReply
  ) {
    self.method = method
    pattern = path.split(separator: "/").map { part in
      part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
    }
    self.query = query
    self.listeners = listeners
    self.takesFile = takesFile
    self.answer = answer
  }

  /// Refuses unknown and repeated query parameters, because a client that relied on an ignored parameter
  /// would receive a wrong result.
  func check(_ target: RequestTarget) throws(ControlError) {
    var seen: Set<String> = []
    for name in target.query.map(\.name) {
      guard query.contains(name) else {
        let known = query.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        throw ControlError(
          .badRequest,
          "\"\(name.prefix(80))\" is not a parameter of this path; "
            + (known.isEmpty ? "it has none" : "it has \(known)"))
      }
      guard seen.insert(name).inserted else {
        throw ControlError(.badRequest, "\"\(name)\" occurs twice")
      }
    }
  }

  /// The path pattern, spelled as it was passed to the initialiser.
  var path: String {
    pattern.map { segment in
      switch segment {
      case .literal(let text): "/" + text
      case .parameter(let name): "/{\(name)}"
      }
    }.joined()
  }

  /// Returns the values of the path parameters if the path matches this route, or nil otherwise.
  func match(_ segments: [String]) -> [String: String]? {
    guard segments.count == pattern.count else { return nil }
    var parameters: [String: String] = [:]
    for (segment, expected) in zip(segments, pattern) {
      switch expected {
      case .literal(let text): if segment != text { return nil }
      case .parameter(let name): parameters[name] = segment
      }
    }
    return parameters
  }
}

/// A request with the path parameters of its route.
struct Call: Sendable {
  let request: ControlRequest
  let parameters: [String: String]

  func message<Message: Decodable>(
    _ type: Message.Type = Message.self
  ) throws(ControlError) -> Message {
    try JSONText.decode(type, from: request.body)
  }

  func record() throws -> RecordID {
    let id = RecordID(try number("record", of: Int64.self))
    guard id.rawValue > 0 else { throw LibraryError(.noSuchRecord, "there is no record \(id)") }
    return id
  }

  func viewer() throws(ControlError) -> ViewerID {
    ViewerID(try number("viewer", of: UInt64.self))
  }

  func number<Number: FixedWidthInteger>(
    _ name: String, of type: Number.Type
  ) throws(ControlError) -> Number {
    let text = parameters[name] ?? ""
    // Only the canonical spelling of a number is accepted.
    guard let number = Number(text), "\(number)" == text else {
      throw ControlError(.badRequest, "the \(name) in the path is not a number")
    }
    return number
  }
}

/// Dispatches requests to the handlers of their routes, and turns every error into a response.
struct Router: Sendable {
  let routes: [Route]

  /// Returns whether the body of a request is a file, which is written to disk before the request is handled.
  /// - Throws: The reason for refusing the request, as far as its head shows one.
  func acceptsFile(_ head: ControlRequest) throws(ControlError) -> Bool {
    let found = routes.first {
      $0.takesFile && $0.method == head.method && $0.match(head.target.segments) != nil
    }
    guard let route = found else { return false }
    try Self.check(head)
    try Self.checkBodyType(head, of: route)
    try route.check(head.target)
    return true
  }

  @concurrent
  func respond(to request: ControlRequest) async -> ControlReply {
    do {
      try Self.check(request)
      let found = routes.compactMap { route in
        route.match(request.target.segments).map { (route, $0) }
      }
      guard !found.isEmpty else { throw ControlError(.notFound, "there is no such path") }
      let method = request.isHead ? "GET" : request.method
      guard let (route, parameters) = found.first(where: { $0.0.method == method }) else {
        return .whole(Self.refusal(of: request.method, allowed: found.map(\.0.method)))
      }
      if !request.body.isEmpty || request.upload != nil {
        try Self.checkBodyType(request, of: route)
      }
      guard route.listeners.contains(request.listener) else {
        throw ControlError(
          .forbidden,
          request.listener == .loopback
            ? "this call is possible only through the library's socket"
            : "this call is possible only through the web page")
      }
      try route.check(request.target)
      return try await route.answer(Call(request: request, parameters: parameters))
    } catch {
      return .whole(.problem(ProblemMessage(wrapping: error)))
    }
  }

  private static func check(_ request: ControlRequest) throws(ControlError) {
    // Browsers send `Origin` but cannot connect to a Unix domain socket, so such a request comes from a web
    // page through a relay.
    guard request.listener == .loopback || request.fields["Origin"] == nil else {
      throw ControlError(.forbidden, "requests from web pages are rejected")
    }
  }

  private static func checkBodyType(
    _ request: ControlRequest, of route: Route
  ) throws(ControlError) {
    let type = request.fields["Content-Type"] ?? ""
    let essence = type.prefix { $0 != ";" && $0 != " " }
    let expected = route.takesFile ? "application/octet-stream" : "application/json"
    guard HTTPFields.isSame(essence, expected) else {
      throw ControlError(.unsupportedMediaType, "the body must be \(expected)")
    }
    let coding = request.fields["Content-Encoding"] ?? "identity"
    guard HTTPFields.isSame(coding, "identity") else {
      throw ControlError(.unsupportedMediaType, "the body must not have a Content-Encoding")
    }
  }

  private static func refusal(of method: String, allowed: [String]) -> ControlResponse {
    let names = allowed.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.sorted()
    let list = names.joined(separator: ", ")
    var response = ControlResponse.problem(
      ProblemMessage(ControlError(.methodNotAllowed, "this path supports \(list)")))
    response.fields.append("Allow", list)
    return response
  }
}
