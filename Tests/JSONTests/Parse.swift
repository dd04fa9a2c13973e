import JSON

/// A whole parse of one text.
struct Parse: Equatable {
  private(set) var events: [JSONEvent] = []
  private(set) var error: JSONError?

  /// - Parameter chunks: The lengths of the pieces of the text; the rest is one piece.
  init(_ bytes: [UInt8], _ policy: JSONPolicy = JSONPolicy(), chunks: [Int] = []) {
    var parser = JSONParser(policy)
    var rest = bytes[...]
    do throws(JSONError) {
      for length in chunks + [bytes.count] {
        let piece = rest.prefix(length)
        rest = rest.dropFirst(length)
        var index = 0
        while let event = try parser.next(piece.span.bytes, &index) { events.append(event) }
        // What follows the value is not for the parser.
        if index < piece.count { break }
      }
      while let event = try parser.finish() { events.append(event) }
    } catch {
      self.error = error
    }
  }

  init(_ text: String, _ policy: JSONPolicy = JSONPolicy()) { self.init(Array(text.utf8), policy) }
}
