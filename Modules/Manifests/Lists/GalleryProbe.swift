import JSON

/// Tells from the first events inside of an array whether it is a list, a message of gallery-dl, or an array of
/// such messages. A list may begin with a number or an array by mistake. An array of messages begins with an error of
/// gallery-dl before version 1.30, which is two texts, if it has no other message.
struct GalleryProbe: Sendable {
  enum Verdict { case list, message, messages }

  /// The events so far, which the reader of the array has to handle.
  private(set) var events: [JSONEvent] = []
  private var isNested = false
  private var number = ""
  /// Whether the first message begins with the name of an error's class.
  private var isError = false

  mutating func handle(_ event: JSONEvent) -> Verdict? {
    events.append(event)
    let isMessage: Bool?
    switch events.count &- (isNested ? 1 : 0) {
    case 1 where event == .beginArray && !isNested:
      isNested = true
      return nil
    case 1:
      isError = isNested && Self.isClassName(event)
      isMessage = isKind(event) || isError ? nil : false
    case 2 where isError: isMessage = Self.isMessageText(event) ? nil : false
    case _ where isError: isMessage = event == .endArray
    case 2 where number == "2" || number == "-1": isMessage = event == .beginObject
    case 2: if case .string = event { isMessage = nil } else { isMessage = false }
    default: isMessage = event == .beginObject
    }
    switch isMessage {
    case nil: return nil
    case true?: return isNested ? .messages : .message
    case false?: return .list
    }
  }

  private static func isClassName(_ event: JSONEvent) -> Bool {
    guard case .string(let text) = event, let first = text.unicodeScalars.first else {
      return false
    }
    return ("A"..."Z").contains(first)
      && text.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic }
  }

  private static func isMessageText(_ event: JSONEvent) -> Bool {
    guard case .string(let text) = event else { return false }
    return !text.hasPrefix("http://") && !text.hasPrefix("https://")
  }

  private mutating func isKind(_ event: JSONEvent) -> Bool {
    guard case .number(let text) = event else { return false }
    number = text
    return ["-1", "2", "3", "6"].contains(text)
  }
}
