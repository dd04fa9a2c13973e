/// The meaning of text and shapes; only `Theme` decides how they look.
///
/// Every role can be distinguished from its neighbours without colour, too: by its text, its position, or an
/// attribute.
public enum TextRole: Int, Sendable, CaseIterable {
  case text, strong, dim, faint
  case title
  case selected, selectedMark
  case accent, good, warning, error
  case bar, barEmpty
  case key, disabled, button, chosenButton
  /// The area of an image that is not available yet.
  case placeholder
  /// The area of an image that fades while another item is lifted.
  case shade
  case field, dialog, dialogTitle

  /// The minimum contrast with the background: 4.5 for text and marks, 3 for the rest of a bar (Web Content
  /// Accessibility Guidelines 2.1, 1.4.3 and 1.4.11).
  var minimumContrast: Double { self == .barEmpty ? 3 : 4.5 }
}
