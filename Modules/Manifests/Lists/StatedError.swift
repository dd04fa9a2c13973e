import JSON

/// Finds the error that an object states in its members, also beside an empty list: servers answer so with the
/// status 200, and the list would otherwise be taken for one that has ended.
struct StatedError: Sendable {
  /// The members that have a value only if there is an error.
  private static let errorNames: Set<String> = ["error", "errors"]
  /// The members in which APIs repeat the status of HTTP.
  private static let statusNames: Set<String> = ["status", "statusCode", "code"]
  /// The members that say nothing without a status: a list may have a title, and be empty with a message.
  private static let detailNames: Set<String> = ["title", "type", "detail", "message"]
  /// The largest number of members in an excerpt.
  private static let excerptLength = 4

  /// The number of open arrays and objects inside the object.
  private var depth = 0
  /// The name of the current member, and of the current member of an object in it.
  private var name = ""
  private var innerName: String?
  private var hasError = false
  private var hasFailureStatus = false
  private var hasDetail = false
  private var parts: [String] = []

  /// Whether the members so far state an error: one of `error` and `errors` has a value, or there is a status from
  /// 400 to 599 with a member that explains it (RFC 9457, and the forms before it).
  var isStated: Bool { hasError || hasFailureStatus && hasDetail }

  /// The members that state the error, for messages; nil if there are none.
  var excerpt: String? {
    guard !parts.isEmpty else { return nil }
    return parts.prefix(Self.excerptLength).joined(separator: ", ")
      + (parts.count > Self.excerptLength ? ", …" : "")
  }

  /// The reason why an object without entries is not a list; nil if it states no error.
  var refusal: String? {
    isStated ? "is an error message, not a list: " + (excerpt ?? "") : nil
  }

  /// Handles an event after the opening brace of the object.
  mutating func handle(_ event: JSONEvent) {
    switch event {
    case .key(let text):
      if depth == 0 { (name, innerName) = (text, nil) } else { innerName = text }
    case .beginArray, .beginObject: depth &+= 1
    case .endArray, .endObject: depth &-= 1
    case .string(let text):
      value(Excerpt.quote(text, limit: Excerpt.errorLength), isEmpty: text.isEmpty)
    case .number(let digits):
      let number = Double(digits)
      if depth == 0, Self.statusNames.contains(name), let number, (400...599).contains(number) {
        hasFailureStatus = true
        add(digits)
      } else {
        value(digits, isEmpty: number == 0)
      }
    case .bool(let isTrue): value(isTrue ? "true" : "false", isEmpty: !isTrue)
    case .null: break
    }
  }

  private mutating func value(_ text: @autoclosure () -> String, isEmpty: Bool) {
    if Self.errorNames.contains(name) {
      guard !isEmpty else { return }
      hasError = true
      add(text())
    } else if depth == 0, Self.detailNames.contains(name) {
      hasDetail = true
      add(text())
    }
  }

  private mutating func add(_ text: String) {
    // One more than is shown tells that some are not.
    guard parts.count <= Self.excerptLength else { return }
    parts.append("\(Excerpt.quote(innerName ?? name)): \(Excerpt.sentence(text))")
  }
}
