import Models
import Transport

/// The codings of a body (RFC 9110 §8.4), as a response names them.
enum ContentCoding: Equatable {
  case none
  case gzip
  /// One that we cannot undo, or several; escaped.
  case other(String)

  init(_ fields: HTTPFields) {
    // Most bodies are what they are.
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
