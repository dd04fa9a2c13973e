import HTTP1
import Models

/// Validates the framing fields of a response as the parser of the socket transport does, which is
/// stricter than libcurl: a response whose end is uncertain is rejected (RFC 9112 §6.3, §11.2).
enum ResponseFields {
  /// The codings that libcurl decodes by itself, even if they were not requested.
  private static let codingsDecodedByLibcurl: Set<String> = [
    "gzip", "x-gzip", "deflate", "br", "zstd",
  ]

  /// Returns the fields that describe the body as libcurl passes it on. A decoded body has neither
  /// `Content-Encoding` nor `Content-Length`. The validator does not apply to ranges of the decoded
  /// body, so a strong entity tag becomes weak, and a date without a tag is removed.
  static func decoded(_ fields: HTTPFields) -> HTTPFields {
    guard let coding = fields["Content-Encoding"],
      coding.split(separator: ",").allSatisfy({
        codingsDecodedByLibcurl.contains($0.filter { $0 != " " && $0 != "\t" }.lowercased())
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

  /// Returns the fields with a single plain `Content-Length`, or the reason why the response is
  /// rejected.
  static func checked(status: Int, _ fields: HTTPFields) -> Result<HTTPFields, Problem> {
    guard (200...999).contains(status) else {
      return .failure(Problem("status \(status) as a final response"))
    }
    if let problem = formProblem(of: fields) { return .failure(problem) }
    let codings = fields.all("Transfer-Encoding").flatMap { FieldList.members($0) }
      .filter { !HTTPFields.isSame($0, "identity") }
    guard codings.allSatisfy({ HTTPFields.isSame($0, "chunked") }) else {
      return .failure(Problem("an unknown transfer coding"))
    }
    var fields = fields
    // A transfer coding overrides a length.
    if !codings.isEmpty { fields.remove("Content-Length") }
    let lengths = fields.all("Content-Length")
    guard !lengths.isEmpty else { return .success(fields) }
    guard let length = length(lengths) else {
      return .failure(Problem("an invalid Content-Length"))
    }
    fields.set("Content-Length", "\(length)")
    return .success(fields)
  }

  /// Returns the problem of malformed fields, which the parser of the socket transport would
  /// reject, too: a line break in a validator, for example, would add a field to the next
  /// conditional request.
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

  /// Parses `Content-Length`. URLSession joins fields of the same name with commas; equal values
  /// are accepted.
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
