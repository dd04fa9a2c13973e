import HTTP1
import Models

/// Checks the framing fields of a response. libcurl lets more pass than we do: where two
/// readers may see two bodies, there is none (RFC 9112 §6.3, §11.2).
enum ResponseFields {
  /// Codings that libcurl undoes by itself, whatever was requested.
  private static let undone: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd"]

  /// The fields of what the sink gets: a body that libcurl has decoded has no coding any more, and the
  /// length that was announced is not its length. Its validator says nothing about ranges: a strong tag
  /// becomes a weak one, and a date without a tag goes.
  static func decoded(_ fields: HTTPFields) -> HTTPFields {
    guard let coding = fields["Content-Encoding"],
      coding.split(separator: ",").allSatisfy({
        undone.contains($0.filter { $0 != " " && $0 != "\t" }.lowercased())
      })
    else { return fields }
    var fields = fields
    fields.remove("Content-Encoding")
    fields.remove("Content-Length")
    if let tag = fields["ETag"] {
      if !tag.hasPrefix("W/") { fields.set("ETag", "W/\(tag)") }
    } else {
      fields.remove("Last-Modified")
    }
    return fields
  }

  /// The fields with one plain `Content-Length`, or the reason why the response is refused.
  static func checked(status: Int, _ fields: HTTPFields) -> Result<HTTPFields, Problem> {
    guard (200...999).contains(status) else {
      return .failure(Problem("status \(status) as the answer"))
    }
    if let problem = formProblem(of: fields) { return .failure(problem) }
    let codings = fields.all("Transfer-Encoding")
    let lengths = fields.all("Content-Length")
    if !codings.isEmpty {
      guard codings.count == 1, HTTPFields.isSame(codings[0], "chunked") else {
        return .failure(Problem("an unknown transfer coding"))
      }
      guard lengths.isEmpty else {
        return .failure(Problem("both a length and a transfer coding"))
      }
    }
    guard !lengths.isEmpty else { return .success(fields) }
    guard let length = length(lengths) else {
      return .failure(Problem("a Content-Length that is no length"))
    }
    var fields = fields
    fields.set("Content-Length", "\(length)")
    return .success(fields)
  }

  /// The socket transport's parser lets no other fields pass. Validators among them are kept and sent
  /// again: a line break in one would be a field of the next request.
  private static func formProblem(of fields: HTTPFields) -> Problem? {
    do throws(HTTPParseError) {
      _ = try RequestSerializer.bytes(
        RequestHeadMessage(method: "GET", target: "/", fields: fields))
      return nil
    } catch {
      return Problem(error.detail)
    }
  }

  struct Problem: Error {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// URLSession joins fields of one name with commas: equal values are one length.
  private static func length(_ values: [String]) -> Int64? {
    let parts = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let texts = Set(parts.map { $0.drop(while: isSpace).trimmingSuffix(while: isSpace) })
    guard texts.count == 1, let text = texts.first,
      text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
    else { return nil }
    return Int64(text)
  }

  private static func isSpace(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while isUnwanted: (Character) -> Bool) -> Substring {
    var text = self
    while let last = text.last, isUnwanted(last) { text.removeLast() }
    return text
  }
}
