import Models
import Transport

/// The content codings of a response body (RFC 9110 §8.4).
enum ContentCoding: Equatable {
  case none
  case gzip
  /// A coding that cannot be decoded, or several codings; the names are escaped.
  case other(String)

  init(_ fields: HTTPFields) {
    // Return early, because most bodies are not coded.
    guard fields["Content-Encoding"] != nil else {
      self = .none
      return
    }
    let names = fields.all("Content-Encoding")
      .flatMap { $0.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
    switch names {
    case []: self = .none
    case ["gzip"], ["x-gzip"]: self = .gzip
    default: self = .other(TransportError.escaped(names.joined(separator: ", "), limit: 60))
    }
  }
}
