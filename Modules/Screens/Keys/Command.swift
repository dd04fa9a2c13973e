/// A command that a key, a button or a line of `--plain` requests.
public enum Command: String, Sendable, CaseIterable {
  // Commands of every screen.
  case help, back, quit, redraw, suspend
  // Commands that move the selection.
  case up, down, left, right, pageUp, pageDown, first, last
  case open
  // Commands of the library.
  case add, reset, pauseAll, fewer, more
  // Commands of a record.
  case pause, refresh, loadMore, retry, remove, reload, details
  // Commands of lists.
  case filter, sort, reverse, layout, lift
  // Commands of the viewer.
  case next, previous, nextResource, previousResource
  case zoomIn, zoomOut, fit, rotate, direction, info
  // Commands of a series.
  case cine, faster, slower, invert
}

/// The kind of a screen, which determines the meaning of keys.
public enum ScreenKind: String, Sendable, CaseIterable {
  case records, resources, details, viewer, slices

  /// The title of the screen, as a heading of the help.
  public var title: String {
    switch self {
    case .records: "Records"
    case .resources: "Images of a record"
    case .details: "Image Details"
    case .viewer: "Viewer"
    case .slices: "Slices"
    }
  }
}
