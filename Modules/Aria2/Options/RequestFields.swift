import Models

/// The request fields that the options of a download demand.
struct RequestFields: Sendable {
  private(set) var fields = HTTPFields()

  /// - Parameter uri: The URI of the download, which is the referer if the option is `*`. Its user and password
  ///   replace those of the options.
  /// - Throws: An error for a header line that is not a field, or that would change the framing, the host or
  ///   the range of the request.
  init(_ options: OptionValues, uri: String) throws(RPCError) {
    let uri = DownloadURI(uri)
    if let referer = options["referer"], !referer.isEmpty {
      try set("Referer", referer == "*" ? uri?.text ?? "" : referer)
    }
    if let agent = options["user-agent"], !agent.isEmpty { try set("User-Agent", agent) }
    if let (user, password) = uri?.credentials ?? Self.credentials(options) {
      try set("Authorization", "Basic " + Base64.encode(Array("\(user):\(password)".utf8)))
    }
    var names: Set<String> = []
    for line in options.headers {
      guard let field = HTTPFields.Field(line: line) else {
        throw RPCError("The option header must be a field such as \"Name: value\".")
      }
      let name = field.name.lowercased()
      // The first line replaces the field of another option; the others add to it.
      let isFirst = names.insert(name).inserted
      let earlier = isFirst || Self.single.contains(name) ? nil : fields[field.name]
      try set(field.name, earlier.map { $0 + Self.separator(name) + field.value } ?? field.value)
    }
  }

  private static func credentials(_ options: OptionValues) -> (user: String, password: String)? {
    guard let user = options["http-user"], !user.isEmpty else { return nil }
    return (user, options["http-passwd"] ?? "")
  }

  /// The text between two values of a field: a list (RFC 9110 §5.3), or pairs (RFC 6265 §5.4).
  private static func separator(_ name: String) -> String { name == "cookie" ? "; " : ", " }

  private mutating func set(_ name: String, _ value: String) throws(RPCError) {
    guard HTTPFields.Field(line: "\(name): \(value)") != nil else {
      throw RPCError("The field \(name.prefix(80)) has an invalid value.")
    }
    guard !Self.reserved.contains(name.lowercased()) else {
      throw RPCError("The field \(name.prefix(80)) cannot be set.")
    }
    fields.set(name, value)
  }

  /// Fields whose value is not a list, of which the last one is sent.
  private static let single: Set<String> = ["authorization", "from", "referer", "user-agent"]

  /// The fields that only the transport may set.
  private static let reserved: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "if-match",
    "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive",
    "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding",
    "upgrade",
  ]
}
