/// The table of all keys. The help, the buttons of every screen and the dispatcher are derived from the
/// table, so that they agree.
public enum KeyBindings {
  public struct Binding: Sendable {
    public let strokes: [KeyStroke]
    public let command: Command
    public let places: Set<ScreenKind>
    /// The label of the command's button; nil if the command has no button.
    public let button: String?
    /// The description of the command in the help.
    public let help: String
  }

  /// Returns the command of a key on a kind of screen, or nil.
  public static func command(for stroke: KeyStroke, in place: ScreenKind) -> Command? {
    index[place]?[stroke]
  }

  /// Returns the bindings of a kind of screen in the order of the table.
  public static func bindings(in place: ScreenKind) -> [Binding] {
    all.filter { $0.places.contains(place) }
  }

  /// Returns the first binding of a command on a kind of screen, for its button.
  public static func binding(of command: Command, in place: ScreenKind) -> Binding? {
    all.first { $0.command == command && $0.places.contains(place) }
  }

  private static let index: [ScreenKind: [KeyStroke: Command]] = {
    var index: [ScreenKind: [KeyStroke: Command]] = [:]
    for binding in all {
      for place in binding.places {
        for stroke in binding.strokes { index[place, default: [:]][stroke] = binding.command }
      }
    }
    return index
  }()

  public static let all: [Binding] = moving + library + records + lists + images + always

  private static let everywhere = Set(ScreenKind.allCases)
  private static let collections: Set<ScreenKind> = [.records, .resources, .details]
  private static let viewers: Set<ScreenKind> = [.viewer, .slices]
  private static let notViewer = everywhere.subtracting([.viewer])

  private static let moving: [Binding] = [
    key("up", "k", .up, [.records, .resources, .details, .slices], nil, "Up"),
    key("up", "k", .up, [.viewer], nil, "Previous image; in a zoomed image, up"),
    key("down", "j", .down, [.records, .resources, .details, .slices], nil, "Down"),
    key("down", "j", .down, [.viewer], nil, "Next image; in a zoomed image, down"),
    key("left", "h", .left, [.resources, .details, .viewer, .slices], nil, "Left"),
    key("right", "l", .right, [.resources, .details, .viewer, .slices], nil, "Right"),
    key("pageup", "^u", .pageUp, notViewer, nil, "Page up; in a series, 10 % back"),
    key("pageup", "^u", .pageUp, [.viewer], nil, "10 files back"),
    key("pagedown", "^d", .pageDown, notViewer, nil, "Page down; in a series, 10 % forward"),
    key("pagedown", "^d", .pageDown, [.viewer], nil, "10 files forward"),
    key("home", "g", .first, everywhere, nil, "To the first"),
    key("end", "G", .last, everywhere, nil, "To the last"),
    key("enter", .open, [.records], nil, "Open"),
    key(
      "enter", .open, [.resources, .details], nil, "Open; an encrypted file asks for its password"),
    key("enter", .open, [.viewer], nil, "Enter the password of an encrypted file"),
  ]

  private static let library: [Binding] = [
    key("a", .add, [.records], "Add", "Add a source: a path or a URL"),
    key("p", .pauseAll, [.records, .resources], "Pause", "Pause or resume all downloads"),
    key("{", "[", .fewer, collections, nil, "Fewer downloads at the same time"),
    key("}", "]", .more, collections, nil, "More downloads at the same time"),
  ]

  private static let records: [Binding] = [
    key("P", .pause, [.records, .resources], nil, "Pause or resume only this record"),
    key(
      "R", .refresh, [.records, .resources], "Refresh", "Read the source again; new entries on top"),
    key("n", .loadMore, [.records, .resources], nil, "Load the next page of the source"),
    key("L", .reload, [.records, .resources], "Reload", "Download the whole record again"),
    key("t", .retry, [.records, .resources], "Retry", "Retry what failed"),
    key("x", "delete", .remove, [.records], "Remove", "Remove the record and its files"),
    key("X", .reset, [.records], "Reset", "Stop and delete everything; asks first"),
    key("i", .details, [.records, .resources], "Details", "Image Details: size and time of each"),
  ]

  private static let lists: [Binding] = [
    key("/", .filter, [.records], "Filter", "Show only titles that contain a text"),
    key("s", .sort, [.records], "Sort", "Sort by title, size, state, or addition"),
    key("s", .sort, [.details], "Sort", "Sort by the next column"),
    key("S", .reverse, [.records, .details], nil, "Reverse the order"),
    key("v", "tab", .layout, [.resources], "Grid/List", "Switch between grid and list"),
    key("v", "tab", .layout, [.slices], "Grid", "Show all slices as a grid"),
    key("m", .lift, [.records, .resources], nil, "Lift the item, as holding the mouse on it does"),
  ]

  private static let images: [Binding] = [
    key(" ", "n", .next, [.viewer], "Next", "Next image or page"),
    key("backspace", "b", .previous, [.viewer], "Previous", "Previous image or page"),
    key("J", "^n", .nextResource, [.viewer], nil, "Next file, past the pages of this one"),
    key("K", "^p", .previousResource, [.viewer], nil, "Previous file"),
    key("+", "=", .zoomIn, viewers, nil, "Zoom in"),
    key("-", "_", .zoomOut, viewers, nil, "Zoom out"),
    key("f", "0", .fit, viewers, "Fit", "Fit to the window; again: to its width"),
    key("r", .rotate, viewers, "Rotate", "Rotate clockwise"),
    key("d", .direction, [.viewer], "Direction", "Read from left to right, or right to left"),
    key("i", .info, [.viewer], "Info", "Name, number, size, time and host"),
    key("i", .info, [.slices], "Info", "Name, number and state"),
    key("c", .cine, [.slices], "Cine", "Play or stop the series"),
    key(">", ".", .faster, [.slices], nil, "Play faster"),
    key("<", ",", .slower, [.slices], nil, "Play slower"),
    key("I", .invert, [.slices], "Invert", "Invert light and dark"),
  ]

  private static let always: [Binding] = [
    key("?", .help, everywhere, "Help", "All keys of this screen"),
    key("escape", "q", .back, [.resources, .details, .viewer, .slices], "Back", "Back"),
    key("q", "^c", .quit, [.records], "Quit", "Quit"),
    key("Q", "^c", .quit, [.resources, .details, .viewer, .slices], nil, "Quit"),
    key("escape", .back, [.records], nil, "Clear filter and order; put a lifted item back"),
    key("^z", .suspend, everywhere, nil, "Suspend; fg in the shell returns"),
    key("^l", .redraw, everywhere, nil, "Redraw the screen"),
  ]

  private static func key(
    _ stroke: KeyStroke, _ command: Command, _ places: Set<ScreenKind>, _ button: String?,
    _ help: String
  ) -> Binding {
    Binding(strokes: [stroke], command: command, places: places, button: button, help: help)
  }

  private static func key(
    _ stroke: KeyStroke, _ second: KeyStroke, _ command: Command, _ places: Set<ScreenKind>,
    _ button: String?, _ help: String
  ) -> Binding {
    Binding(
      strokes: [stroke, second], command: command, places: places, button: button, help: help)
  }
}
