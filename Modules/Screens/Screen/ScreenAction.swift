import Models

/// An action that a screen or a dialog requests from the router.
enum ScreenAction: Sendable {
  case perform(Effect)
  /// Report to the engine that a range of the record is visible.
  case setVisibleRange(RecordID, Range<Int>)
  case open(Destination)
  /// Return to the screen below.
  case close
  case showSourceDialog(pasted: String?)
  case confirmReset
  case confirmRemoval(of: Record)
  case confirmReload(of: Record)
  /// - Parameter target: The place where the viewer opens after the password was accepted; nil if the viewer
  ///   is already open.
  case askForPassword(of: Resource, in: RecordItem, opening: ViewerTarget?)
  /// Try the password that the user has entered.
  /// - Parameter document: The digest of a file whose pages are decrypted with the password one by one;
  ///   otherwise nil.
  case unlock(UnlockRequest, document: Digest?)
  /// Show the file after the engine has accepted the password.
  case showUnlocked(UnlockRequest, document: Digest?, ViewerTarget?)
  /// - Parameter isOfScreen: Whether the text concerns the current screen and is hidden on any other one.
  case notify(String, isOfScreen: Bool)
  case quit

  static func notify(_ text: String) -> Self { .notify(text, isOfScreen: false) }
}

/// A screen to open, with its initial selection.
enum Destination: Sendable {
  case resources(RecordItem, selecting: Int?)
  case details(RecordItem, selecting: Int)
  case viewer(ViewerTarget)
  case slices(RecordItem)
}

/// The image with which the viewer opens.
struct ViewerTarget: Sendable, Equatable {
  var record: RecordItem
  /// The index of the resource in the record.
  var index: Int
  /// The identifier of the resource if its index may have changed; otherwise nil.
  var wantedID: ResourceID?

  /// Returns the action that opens the viewer, or asks for the password first if the file needs one.
  /// - Parameter resource: The resource to show; nil if it is not loaded.
  func openAction(for resource: Resource?, in context: ScreenContext) -> ScreenAction {
    guard let resource, context.images.needsPassword(resource) else {
      return .open(.viewer(self))
    }
    var target = self
    // The index may change while the user types the password, because a refresh inserts entries.
    target.wantedID = resource.id
    return .askForPassword(of: resource, in: record, opening: target)
  }
}
