import Models

/// The request fields that the options of a download demand.
struct RequestFields: Sendable {
  private(set) var fields = HTTPFields()

  /// - Parameter uri: The URI of the download, which is the referer if the option is `*`.
  /// - Throws: An error for a header line that is not a field, or that would change the framing, the host or
  ///   the range of the request.
  init(_ options: OptionValues, uri: String) throws(RPCError) {
    if let referer = options["referer"], !referer.isEmpty {
      try set("Referer", referer == "*" ? uri : referer)
    }
    if let agent = options["user-agent"], !agent.isEmpty { try set("User-Agent", agent) }
    if let user = options["http-user"], !user.isEmpty {
      let password = options["http-passwd"] ?? ""
      try set("Authorization", "Basic " + Base64.encode(Array("\(user):\(password)".utf8)))
    }
    for line in options.headers {
      guard let field = HTTPFields.Field(line: line) else {
        throw RPCError("The option header must be a field such as \"Name: value\".")
      }
      try set(field.name, field.value)
    }
  }

  private mutating func set(_ name: String, _ value: String) throws(RPCError) {
    guard HTTPFields.Field(line: "\(name): \(value)") != nil else {
      throw RPCError("The field \(name.prefix(80)) has an invalid value.")
    }
    guard !Self.reserved.contains(name.lowercased()) else {
      throw RPCError("The field \(name.prefix(80)) cannot be set.")
    }
    fields.set(name, value)
  }

  /// The fields that only the transport may set.
  private static let reserved: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "if-match",
    "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive",
    "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding",
    "upgrade",
  ]
}
