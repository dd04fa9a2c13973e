import CLibxml
import Markup
import MarkupExtraction

/// Collects the events of libxml2, which reports them to functions without a context of their own.
final class XMLEvents {
  private let limits: MarkupLimits
  /// The length in bytes to which the value of an attribute is cut. A URL that is cut is longer than a URL may be,
  /// so that its entry becomes a problem and is not missing without a word.
  private let attributeLength: Int
  private var events: [MarkupEvent] = []
  /// The names of the elements that have begun and not ended, the innermost last.
  private var open: [String] = []
  /// Whether an element is nested deeper than the limit; events after it are ignored.
  private(set) var isTooDeep = false
  /// The name of the innermost element that has begun and not ended; nil if there is none.
  var openElement: String? { open.last }
  /// The namespaces by their address; libxml2 keeps each of them once per document.
  private var namespaces: [UnsafePointer<CChar>: String] = [:]

  init(limits: MarkupLimits) {
    self.limits = limits
    attributeLength = max(limits.textLength, MarkupItem.maximumURLLength + 1)
  }

  /// Returns the events since the last call.
  /// - Parameter withLastStart: Whether the start of an element counts if it is the last event.
  func takeEvents(withLastStart: Bool) -> [MarkupEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    if !withLastStart, case .start = events.last { events.removeLast() }
    return events
  }

  static var receivers: imgdl_xml_receivers {
    imgdl_xml_receivers(
      start: { context, name, namespace, count, attributes in
        guard let context, let name else { return }
        XMLEvents.at(context).start(name, namespace, Int(count), attributes)
      },
      text: { context, bytes, length in
        guard let context, let bytes else { return }
        XMLEvents.at(context).text(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
      },
      end: { context, name in
        guard let context, let name else { return }
        XMLEvents.at(context).end(name)
      })
  }

  private static func at(_ context: UnsafeMutableRawPointer) -> XMLEvents {
    Unmanaged<XMLEvents>.fromOpaque(context).takeUnretainedValue()
  }

  private func start(
    _ name: UnsafePointer<CChar>, _ namespace: UnsafePointer<CChar>?, _ count: Int,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    if open.count >= limits.depth { isTooDeep = true }
    guard !isTooDeep else { return }
    let name = String(cString: name)
    open.append(name)
    var list: [MarkupAttribute] = []
    if let attributes, count > 0 {
      list.reserveCapacity(count)
      for index in 0..<count {
        let attribute = attributes + 5 * index
        guard let name = attribute[0], let begin = attribute[3], let end = attribute[4] else {
          continue
        }
        let value = UnsafeRawBufferPointer(start: begin, count: min(end - begin, attributeLength))
        list.append(
          MarkupAttribute(
            name: string(name), namespace: (attribute[2] ?? attribute[1]).map(string) ?? "",
            value: String(decoding: value, as: UTF8.self)))
      }
    }
    events.append(
      .start(
        name: name, namespace: namespace.map(self.namespace) ?? "",
        attributes: list))
  }

  private func text(_ bytes: UnsafeRawBufferPointer) {
    guard !isTooDeep, bytes.count <= limits.textLength else { return }
    events.append(.text(String(decoding: bytes, as: UTF8.self)))
  }

  private func end(_ name: UnsafePointer<CChar>) {
    guard !isTooDeep else { return }
    _ = open.popLast()
    events.append(.end(name: String(cString: name)))
  }

  private func string(_ text: UnsafePointer<xmlChar>) -> String {
    text.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
  }

  private func namespace(_ address: UnsafePointer<CChar>) -> String {
    if let known = namespaces[address] { return known }
    let text = String(cString: address)
    if namespaces.count < 64 { namespaces[address] = text }
    return text
  }
}
