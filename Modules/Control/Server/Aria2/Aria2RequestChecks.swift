import Models

/// The checks of a request for the aria2 interface, beside the check of the host.
///
/// The interface has a rule of its own: only the secret authenticates a client, and no cookie does. Programs
/// send no `Origin`; a web page can call only if the user has allowed its origin by name.
struct Aria2RequestChecks: Sendable {
  /// Whether a call needs the secret; otherwise every program may call.
  private let needsSecret: Bool
  private let allowedOrigins: Set<String>

  init(_ interface: Aria2Interface) {
    needsSecret = interface.secret != nil
    allowedOrigins = interface.allowedOrigins
  }

  static let path = ["jsonrpc"]

  /// Checks which web page sent the request, as the browser reports it.
  /// - Returns: The origin of an allowed web page, which the response names; nil for programs.
  /// - Throws: `forbidden` for every other web page. Without a secret, that is every page, this server's own
  ///   included, but not a program that names this server as its origin.
  func checkSender(_ request: ControlRequest) throws(ControlError) -> String? {
    let fields = request.fields
    let origins = fields.all("Origin")
    if origins.count == 1, let origin = origins.first, allowedOrigins.contains(origin) {
      return origin
    }
    let own = "http://\(fields["Host"] ?? "")"
    let isOwn = origins.allSatisfy { HTTPFields.isSame($0, own) }
    let sites = fields.all("Sec-Fetch-Site")
    let isForeign =
      needsSecret
      ? !isOwn || sites.contains { $0 != "same-origin" && $0 != "none" }
      : !origins.isEmpty && !(isOwn && Self.isWebSocketOfProgram(request)) || !sites.isEmpty
        || fields["Referer"] != nil || fields["Cookie"] != nil
    guard !isForeign else {
      throw ControlError(
        .forbidden, "web pages may use this interface only if aria2.allowOrigin names their origin")
    }
    return nil
  }

  /// Whether a handshake was made by a program. The library websocket-client sends the server's own address as
  /// `Origin`, and no `User-Agent`; every browser sends one with a WebSocket, and no page can prevent that.
  private static func isWebSocketOfProgram(_ request: ControlRequest) -> Bool {
    request.method == "GET" && request.fields["Sec-WebSocket-Key"] != nil
      && request.fields["User-Agent"] == nil
  }

  /// Checks the media type of a call. Without a secret, a body that a browser sends without asking this server
  /// first is refused; programs may leave the type out.
  func checkBodyType(_ request: ControlRequest) throws(ControlError) {
    guard !needsSecret, let type = request.fields["Content-Type"] else { return }
    let essence = type.prefix { $0 != ";" && $0 != " " }
    let known = ["application/json", "application/json-rpc"]
    guard known.contains(where: { HTTPFields.isSame($0, String(essence)) }) else {
      throw ControlError(
        .unsupportedMediaType, "the body must be application/json or application/json-rpc")
    }
  }

  /// Returns the token of the field `Authorization`.
  static func bearer(_ request: ControlRequest) -> String? {
    guard let value = request.fields["Authorization"] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, HTTPFields.isSame(parts[0], "Bearer") else { return nil }
    return String(parts[1])
  }
}
