/// The reason phrases of status codes (RFC 9110 §15, RFC 6585), for display.
public enum ReasonPhrase {
  /// Returns the code with its phrase: "HTTP 404 Not Found".
  public static func describe(_ status: Int) -> String {
    let phrase = text(status)
    return phrase.isEmpty ? "HTTP \(status)" : "HTTP \(status) \(phrase)"
  }

  /// Returns a phrase such as "Not Found", or an empty string for a code without one in this table.
  public static func text(_ status: Int) -> String {
    switch status {
    case 100...199: status == 100 ? "Continue" : status == 101 ? "Switching Protocols" : ""
    case 200...299: success(status)
    case 300...399: redirection(status)
    case 400...499: clientError(status)
    default: serverError(status)
    }
  }

  private static func success(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    default: ""
    }
  }

  private static func redirection(_ status: Int) -> String {
    switch status {
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    default: ""
    }
  }

  private static func clientError(_ status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 418: "I'm a teapot"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 424: "Failed Dependency"
    case 425: "Too Early"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 451: "Unavailable For Legal Reasons"
    default: ""
    }
  }

  private static func serverError(_ status: Int) -> String {
    switch status {
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: ""
    }
  }
}
