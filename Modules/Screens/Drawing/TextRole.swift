/// What text and shapes mean; how that looks is the `Theme`'s affair and nobody else's.
///
/// Every ink can be told from its neighbours without colour, too: by its text, its place, or an
/// attribute.
public enum TextRole: Int, Sendable, CaseIterable {
  case text, strong, dim, faint
  case title
  case selected, selectedMark
  case accent, good, warning, error
  case bar, barEmpty
  case key, disabled, button, chosenButton
  /// Where a picture is going to be.
  case placeholder
  /// Where one is that has stepped back.
  case shade
  case field, dialog, dialogTitle

  /// The contrast with its background that it has at least: 4.5 for text and marks, 3 for the rest of
  /// a bar (Web Content Accessibility Guidelines 2.1, 1.4.3 and 1.4.11).
  var leastContrast: Double { self == .barEmpty ? 3 : 4.5 }
}
