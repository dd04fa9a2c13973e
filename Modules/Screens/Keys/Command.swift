/// A command that a key, a button or a line of `--plain` requests.
public enum Command: String, Sendable, CaseIterable {
  // Everywhere
  case help, back, quit, redraw, suspend
  // Moving
  case up, down, left, right, pageUp, pageDown, first, last
  case open
  // The library
  case add, reset, pauseAll, fewer, more
  // A record
  case pause, refresh, loadMore, retry, remove, reload, details
  // Lists
  case filter, sort, reverse, layout, lift
  // Images
  case next, previous, nextResource, previousResource
  case zoomIn, zoomOut, fit, rotate, direction, info
  // Series
  case cine, faster, slower, invert
}

/// A screen, as far as the meaning of keys depends on it.
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
