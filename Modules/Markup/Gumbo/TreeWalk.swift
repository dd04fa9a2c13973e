import CGumbo
import Markup
import MarkupExtraction

/// Reports the nodes of a tree as events. The walk keeps the open nodes in an array instead of calling itself,
/// because the depth of the tree is limited only by the size of the document.
struct TreeWalk {
  typealias Node = UnsafeMutablePointer<GumboNode>

  /// A node whose children are being reported.
  private struct OpenNode {
    let node: Node
    var nextChild: UInt32 = 0
    /// The name of the element whose end is still to be reported; nil for other nodes.
    var name: String?
  }

  private let limits: MarkupLimits
  private let names = TagNames()
  private var open: [OpenNode] = []

  init(limits: MarkupLimits) { self.limits = limits }

  mutating func run(
    _ document: Node, _ handler: (MarkupEvent) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    open = [OpenNode(node: document)]
    while let last = open.indices.last {
      let (parent, index) = (open[last].node, open[last].nextChild)
      if index < imgdl_gumbo_child_count(parent) {
        open[last].nextChild = index &+ 1
        try enter(imgdl_gumbo_child(parent, index), handler)
      } else if let name = open.removeLast().name {
        try handler(.end(name: name))
      }
    }
  }

  private mutating func enter(
    _ node: Node, _ handler: (MarkupEvent) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    if imgdl_gumbo_is_element(node) {
      let name = name(of: node)
      try handler(.start(name: name, namespace: "", attributes: attributes(of: node)))
      // The document itself is the first open node.
      if open.count <= limits.depth {
        open.append(OpenNode(node: node, name: name))
      } else {
        try handler(.end(name: name))
        open.append(OpenNode(node: node))
      }
    } else if let text = imgdl_gumbo_text(node) {
      if let text = string(text) { try handler(.text(text)) }
    } else if imgdl_gumbo_is_space(node) {
      try handler(.text(" "))
    }
  }

  private func name(of node: Node) -> String {
    let tag = imgdl_gumbo_tag(node)
    guard tag == imgdl_gumbo_unknown_tag() else { return names[tag] }
    let piece = imgdl_gumbo_original_name(node)
    guard let start = piece.data, piece.length <= limits.textLength else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: piece.length)
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }

  private func attributes(of node: Node) -> [MarkupAttribute] {
    let count = imgdl_gumbo_attribute_count(node)
    guard count > 0 else { return [] }
    var attributes: [MarkupAttribute] = []
    attributes.reserveCapacity(Int(count))
    for index in 0..<count {
      guard let attribute = imgdl_gumbo_attribute(node, index),
        let name = string(attribute.pointee.name), let value = string(attribute.pointee.value)
      else { continue }
      attributes.append(MarkupAttribute(name: name, value: value))
    }
    return attributes
  }

  /// Returns a text of the tree; nil if it is longer than the limit.
  private func string(_ text: UnsafePointer<CChar>?) -> String? {
    guard let text else { return nil }
    let length = strnlen(text, limits.textLength &+ 1)
    guard length <= limits.textLength else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
  }
}

/// The names of the elements that HTML defines, converted once.
private struct TagNames {
  private let names: [String]

  init() {
    names = (0..<imgdl_gumbo_unknown_tag()).map { tag in
      imgdl_gumbo_tag_name(tag).map { String(cString: $0) } ?? ""
    }
  }

  subscript(tag: UInt32) -> String {
    let index = Int(tag)
    return index < names.count ? names[index] : ""
  }
}
