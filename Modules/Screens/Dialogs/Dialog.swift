import Models

/// A question in front of the screen.
enum Dialog: Sendable, Equatable {
  case add(AddDialog)
  case confirm(Confirmation)
  /// The keys of a place; how far it was scrolled.
  case help(Place, Int)
  case password(PasswordDialog)
  /// Takes the place of a dialog whose subject is gone, with a sentence that says so. Keys that were meant for
  /// that dialog do nothing here; Enter or Esc closes it.
  case gone(String)
}

struct AddDialog: Sendable, Equatable {
  var field: TextField
  /// Names first, images on demand: the record is lazy.
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
  /// What it is about, in a sentence of another dialog.
  var subject = ""
  var isYesChosen = false

  static let reset = Confirmation(
    title: "Reset the library?",
    lines: [
      "Stops all downloads and deletes all records with their files. This cannot be undone."
    ], yes: "Delete everything", deed: .verb(.reset))

  static func remove(_ record: Record) -> Confirmation {
    let count = record.counts.total
    return Confirmation(
      title: "Remove this record?",
      lines: [
        record.title,
        count == 1
          ? "Its file is deleted as well."
          : "Its \(Readable.count(count)) files are deleted as well.",
      ],
      yes: "Remove", deed: .verb(.remove(record.id)), subject: record.title)
  }

  static let quit = Confirmation(
    title: "Quit now?",
    lines: ["Downloads stop with this program and continue when it is started again."], yes: "Quit",
    deed: .quit, isYesChosen: true)
}
