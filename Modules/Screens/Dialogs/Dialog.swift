import Models

/// A question in front of the screen.
enum Dialog: Sendable, Equatable {
  case add(AddDialog)
  case confirm(Confirmation)
  /// The keys of a place; how far it was scrolled.
  case help(Place, Int)
}

struct AddDialog: Sendable, Equatable {
  var field: TextField
  /// Names first, images as they are looked at.
  var isLazy = false
  /// Of its parts: 0 the field, 1 the switch, 2 Add, 3 Cancel.
  var focus = 0

  static let parts = 4
}

/// A yes or no question; no is chosen first where something would be lost.
struct Confirmation: Sendable, Equatable {
  enum Deed: Sendable, Equatable {
    case verb(Verb)
    case quit
  }

  var title: String
  var lines: [String]
  /// On the button that does it.
  var yes: String
  var deed: Deed
  var isYesChosen = false

  static let reset = Confirmation(
    title: "Reset the library?",
    lines: [
      "Stops every download and deletes all records",
      "with their files. This cannot be undone.",
    ], yes: "Delete everything", deed: .verb(.reset))

  static func remove(_ record: Record) -> Confirmation {
    Confirmation(
      title: "Remove this record?",
      lines: [record.title, "Its \(Readable.count(record.counts.total)) files are deleted, too."],
      yes: "Remove", deed: .verb(.remove(record.id)))
  }

  static let quit = Confirmation(
    title: "Quit now?",
    lines: [
      "This program downloads by itself: downloads stop",
      "and go on at the next start.",
    ], yes: "Quit", deed: .quit, isYesChosen: true)
}
