import Models

/// What a screen or a dialog asks of those around it.
enum ScreenAction: Sendable {
  case perform(Effect)
  /// That part of a record is looked at: the engine is told so.
  case look(RecordID, Range<Int>)
  case open(Destination)
  /// Back to the screen below.
  case close
  case showSourceDialog(pasted: String?)
  case confirmReset
  case confirmRemoval(of: Record)
  /// - Parameter target: where the viewer opens with the right password; nil means it is open.
  case askForPassword(of: Resource, in: RecordItem, opening: ViewerTarget?)
  /// The password was typed.
  /// - Parameter document: the content of a file whose pages take the password one by one.
  case unlock(UnlockRequest, document: Digest?)
  /// The engine has taken the password.
  case showUnlocked(UnlockRequest, document: Digest?, ViewerTarget?)
  /// - Parameter isOfScreen: it is about what the present screen shows, and not seen on another one.
  case notify(String, isOfScreen: Bool)
  case quit

  static func notify(_ text: String) -> Self { .notify(text, isOfScreen: false) }
}

/// A screen that is to be opened, and where it begins.
enum Destination: Sendable {
  case resources(RecordItem, selecting: Int?)
  case details(RecordItem, selecting: Int)
  case viewer(ViewerTarget)
  case slices(RecordItem)
}

/// Where the viewer opens.
struct ViewerTarget: Sendable, Equatable {
  var record: RecordItem
  /// Of the resource in the record.
  var index: Int
  /// The resource, where the index may be another one's.
  var wantedID: ResourceID?

  /// Opens the viewer; asks first where the file takes a password.
  /// - Parameter resource: the one to be looked at; nil while it is not known.
  func opening(_ resource: Resource?, in context: ScreenContext) -> ScreenAction {
    guard let resource, context.pictures.takesPassword(resource) else {
      return .open(.viewer(self))
    }
    var target = self
    // Resources may come before it while the password is typed.
    target.wantedID = resource.id
    return .askForPassword(of: resource, in: record, opening: target)
  }
}
