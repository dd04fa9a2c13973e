public import Models
public import Terminal

/// Everything the program shows. It changes in `reduce` alone, and `draw` shows it.
public struct State: Sendable {
  /// Of the terminal, in cells.
  public var size = Size(80, 24)
  /// Pixels of one cell, for how large pictures are decoded.
  public var cellPixels = Size(8, 16)
  /// The library's folder, for the title line.
  public var libraryName: String
  /// What Add begins with: the setting `source.default`.
  public var defaultSource: String
  var library = LibraryStatus()

  /// Seconds; of the last input.
  var now = 0.0
  /// The colours that were chosen; nil: those that the terminal's background asks for.
  let scheme: ColourScheme?
  var theme: Theme
  /// The terminal shows pictures in some way.
  var showsPictures = true
  var path: [Place] = [.records]
  var records = RecordsScreen()
  var resources: ResourcesScreen?
  var details: DetailsScreen?
  var viewer: ViewerScreen?
  var slices: SlicesScreen?
  var dialog: Dialog?
  var notice: Notice?
  var press: Press?
  var pictures: PictureStore
  /// The page of a source that was asked for last (RM8).
  var askedPage: AskedPage?
  /// What the engine was told that is looked at.
  var looking: RecordID?
  var lookingAt = 0..<0

  /// - Parameters:
  ///   - pictureBytes: of decoded pictures that are kept in memory.
  ///   - scheme: of colours; nil: the one that the terminal's background asks for.
  public init(
    libraryName: String, defaultSource: String = "", pictureBytes: Int = 64 << 20,
    scheme: ColourScheme? = nil
  ) {
    self.libraryName = libraryName
    self.defaultSource = defaultSource
    self.scheme = scheme
    theme = Theme(scheme)
    pictures = PictureStore(byteLimit: pictureBytes)
  }

  /// What is on top.
  public var place: Place { path.last ?? .records }

  /// When `tick` is due, in seconds on the clock of `reduce`; nil: nothing moves by itself.
  public var wake: Double? {
    [
      records.collection.wake, resources?.collection.wake, details?.collection.wake,
      viewer?.wake, slices?.wake, notice?.until, press?.wake, pictures.wake,
    ].compactMap(\.self).min()
  }

  /// The records whose progress is shown.
  public var watchedRecords: Set<RecordID> {
    var ids = Set(records.visibleRecords.map(\.id))
    if let id = resources?.record.id { ids.insert(id) }
    return ids
  }
}

/// A line that tells what came of something, for a while.
struct Notice: Sendable, Equatable {
  var text: String
  var isError: Bool
  /// The screens that were open, where the text is about what the one on top shows: it goes with that screen.
  var path: [Place]?
  /// When it goes away.
  var until: Double
}

/// A button of the mouse that is held down on something.
struct Press: Sendable, Equatable {
  var target: Hit.Target
  var since: Double
  var area: Rect
  /// It has done what it is there for already.
  var isUsed = false

  /// Seconds after which it lifts an item (RM9).
  static let long = 0.4

  var wake: Double? {
    guard case .item = target, !isUsed else { return nil }
    return since + Self.long
  }
}
