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
    let names = fields.contentCodings
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
