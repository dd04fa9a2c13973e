extension [MarkupAttribute] {
  /// The value of the attribute without a namespace; nil if there is none, or an empty one.
  subscript(name: String) -> String? {
    guard let value = first(where: { $0.name == name && $0.namespace.isEmpty })?.value else {
      return nil
    }
    let trimmed = ElementText.trimmed(value)
    return trimmed.isEmpty ? nil : trimmed
  }
}
