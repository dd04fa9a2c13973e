import HTTP1
import Models

/// What is served: turns a request, and the fault that meets it, into a reply.
struct Site: Sendable {
  let folder: Folder?
  let series: Series?
  let retryAfter: Int
  let redirect: String?

  init(_ configuration: OriginConfiguration) throws(OriginError) {
    if let path = configuration.folder { folder = try Folder(path) } else { folder = nil }
    if let path = configuration.series { series = try Series(path) } else { series = nil }
    retryAfter = configuration.retryAfter
    redirect = configuration.redirect
  }

  func reply(to request: RequestHeadMessage, _ fate: FaultPlan.Fate) -> Reply {
    if let reply = faultyReply(fate.fault) { return reply }
    guard request.method == "GET" || request.method == "HEAD" else {
      var reply = Reply(status: 405, text: "only GET and HEAD\n")
      reply.fields.append("Allow", "GET, HEAD")
      return reply
    }
    guard let names = Self.names(request.target) else {
      return Reply(status: 400, text: "not a path\n")
    }
    if let series, names.first == "series" {
      if names.count == 1 { return Reply(json: series.listing) }
      guard names.count == 4, names[1] == series.id, names[2] == "slice",
        let file = series.slice(names[3])
      else { return notFound }
      return reply(file, request, fate)
    }
    guard let file = folder?.file(names) else { return missing(request) }
    return reply(file, request, fate)
  }

  private var notFound: Reply { Reply(status: 404, text: "not found\n") }

  private func missing(_ request: RequestHeadMessage) -> Reply {
    guard let redirect else { return notFound }
    var reply = Reply(status: 302, text: "elsewhere\n")
    reply.fields.append("Location", redirect + request.target)
    return reply
  }

  private func reply(
    _ file: StoredFile, _ request: RequestHeadMessage, _ fate: FaultPlan.Fate
  ) -> Reply {
    let isFlipped = fate.fault == .etagFlip
    let tag = isFlipped ? "\"flipped-\(String(fate.salt, radix: 16))\"" : file.entityTag
    var selection = Selection(
      request, size: file.size, entityTag: tag, modified: file.modified, honoursIfRange: !isFlipped)
    switch (fate.fault, selection) {
    case (.ignoreRange, .part), (.ignoreRange, .unsatisfiable): selection = .whole
    case (.wrongRange, .part(let range)) where range.upperBound - range.lowerBound > 1:
      selection = .part(range.lowerBound + 1..<range.upperBound)
    case (.wrongRange, .whole) where file.size > 1: selection = .part(1..<file.size)
    default: break
    }
    return Reply(file, selection, entityTag: tag)
  }

  /// Faults that do not look at the request.
  private func faultyReply(_ fault: Fault?) -> Reply? {
    switch fault {
    case .tooManyRequests, .unavailable:
      var reply = Reply(
        status: fault == .unavailable ? 503 : 429, text: "try again in \(retryAfter) s\n")
      reply.fields.append("Retry-After", String(retryAfter))
      return reply
    case .notFound: return notFound
    case .html:
      return Reply(
        status: 200, text: "<!doctype html><title>Sign in</title><p>Please sign in.\n",
        type: "text/html; charset=utf-8")
    default: return nil
    }
  }

  /// The decoded names of a path in origin form, without its query.
  static func names(_ target: String) -> [String]? {
    guard target.utf8.first == UInt8(ascii: "/") else { return nil }
    let path = target.prefix { $0 != "?" }.dropFirst()
    return path.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.decode($0) }
  }
}
