import JSON

/// Reads labels, which both versions of the IIIF Presentation API write in several ways.
enum IIIFLabel {
  /// Returns the text of a label: of a language map (3.0 §3.1: `{"en": ["Page 1"]}`), or of a string, an
  /// object with `@value`, or an array of these (2.1 §4.3).
  ///
  /// English is preferred, then text without a language, then the first text.
  static func text(_ label: JSONValue) -> String? {
    let candidates = candidates(label)
    for language in ["en", "none"] {
      if let found = candidates.first(where: { isLanguage($0.language, language) }) {
        return found.text
      }
    }
    return candidates.first?.text
  }

  private typealias Candidate = (language: String, text: String)

  private static func candidates(_ label: JSONValue) -> [Candidate] {
    var result: [Candidate] = []
    for element in label.elements {
      if let text = scalar(element) {
        add("none", text, to: &result)
      } else if let text = element["@value"].flatMap(scalar) {
        add(element["@language"]?.text ?? "none", text, to: &result)
      } else if case .object(let members) = element {
        for member in members {
          for text in member.value.elements.lazy.compactMap(scalar) {
            add(member.name, text, to: &result)
          }
        }
      }
    }
    return result
  }

  private static func add(_ language: String, _ text: String, to result: inout [Candidate]) {
    guard let text = ManifestTitle.cleaned(text) else { return }
    result.append((language, text))
  }

  /// Returns the text of a string, or of a number, which some manifests have for a page.
  private static func scalar(_ tree: JSONValue) -> String? {
    switch tree {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  /// Whether the language is `wanted` or a regional variant of it, such as `en-GB`.
  private static func isLanguage(_ language: String, _ wanted: String) -> Bool {
    let primary = language.split(separator: "-", maxSplits: 1).first.map(String.init) ?? "none"
    let name = primary.lowercased()
    return name == wanted || (wanted == "none" && name == "@none")
  }
}
