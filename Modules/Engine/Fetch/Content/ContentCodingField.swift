import ContentCodings
import Models
import Transport

/// The content codings of a response body (RFC 9110 §8.4).
enum ContentCodingField: Equatable {
  case none
  case one(ContentCoding)
  /// A coding that cannot be decoded, or several codings; the names are escaped.
  case unsupported(String)

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
    if names.isEmpty {
      self = .none
    } else if names.count == 1, let coding = ContentCoding(name: names[0]) {
      self = .one(coding)
    } else {
      self = .unsupported(
        TransportError.escaped(names.joined(separator: ", "), limit: 60))
    }
  }
}
