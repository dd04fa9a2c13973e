public import Models
import Terminal

/// The values of an image in the columns of `Image Details`, as text and for sorting.
public enum DetailValue {
  public static func text(_ column: DetailColumn, _ resource: Resource) -> String {
    switch column {
    case .number: "\(resource.index)"
    case .name: resource.displayName
    case .size: resource.file.map { ByteText.short($0.byteCount) } ?? ""
    case .time: resource.file?.timings.duration.map(Readable.milliseconds) ?? ""
    case .rate: rate(resource).map(Readable.rate) ?? ""
    case .host: host(resource)
    case .wait: resource.file?.timings.wait.map(Readable.milliseconds) ?? ""
    case .transfer: resource.file?.timings.transfer.map(Readable.milliseconds) ?? ""
    }
  }

  /// Returns the number by which a column sorts; nil sorts last.
  public static func number(_ column: DetailColumn, _ resource: Resource) -> Double? {
    switch column {
    case .number: Double(resource.index)
    case .size: resource.file.map { Double($0.byteCount) }
    case .time: resource.file?.timings.duration
    case .rate: rate(resource)
    case .wait: resource.file?.timings.wait
    case .transfer: resource.file?.timings.transfer
    case .name, .host: nil
    }
  }

  /// Whether a column sorts by its text instead of by a number.
  public static func isText(_ column: DetailColumn) -> Bool { column == .name || column == .host }

  /// Returns the mean transfer rate in bytes per second, or nil if the duration is unknown.
  private static func rate(_ resource: Resource) -> Double? {
    resource.file.flatMap { $0.timings.rate(ofFile: $0.byteCount) }
  }

  /// Returns the host of the URL; empty for a local file, since the authority of `file:///a/b` (RFC 8089) is
  /// empty.
  private static func host(_ resource: Resource) -> String {
    let url = CredentialMask.masked(resource.url)
    guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
    let authority = url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return String(authority.split(separator: "@").last ?? "")
  }
}

extension DetailColumn {
  public var title: String {
    switch self {
    case .number: "#"
    case .name: "Name"
    case .size: "Size"
    case .time: "Time"
    case .rate: "Rate"
    case .host: "Host"
    case .wait: "Wait"
    case .transfer: "Transfer"
    }
  }

  /// The width in cells; nil for the column that gets the remaining width.
  var width: Int? {
    switch self {
    case .number: 6
    case .name: nil
    case .size: 9
    case .time: 8
    case .rate: 11
    case .host: 22
    case .wait: 8
    case .transfer: 8
    }
  }

  /// Returns the columns that fit into a width; the most important ones have precedence.
  static func visible(in columns: Int) -> [DetailColumn] {
    var shown: Set<DetailColumn> = [.number, .name, .size, .time]
    var left = columns - 6 - 9 - 8 - 4 - 14
    for column in [DetailColumn.rate, .wait, .transfer, .host] {
      guard let width = column.width, left >= width + 1 else { continue }
      left -= width + 1
      shown.insert(column)
    }
    return allCases.filter { shown.contains($0) }
  }

  /// Returns the visible columns with their areas.
  static func areas(in area: Rect) -> [(column: DetailColumn, area: Rect)] {
    let columns = visible(in: area.columns)
    let fixed = columns.reduce(columns.count - 1) { $0 + ($1.width ?? 0) }
    var rest = area
    return columns.map { column in
      let width = column.width ?? max(1, area.columns - fixed)
      defer { rest = rest.dropping(columns: width + 1) }
      return (column, rest.prefix(columns: width))
    }
  }
}

/// A row of `Image Details`.
struct DetailRow: ItemKind {
  func size(in layout: CollectionLayout, room: Size) -> Size { Size(room.columns, 1) }

  func draw(_ item: Resource?, _ look: ItemAppearance, in area: Rect, on canvas: inout Canvas) {
    if look.isSelected { canvas.fill(area, .selected) }
    canvas.drawAppearance(look, in: area)
    let inner = area.inset(columns: 2)
    guard let item else {
      canvas.text("…", in: inner, .faint)
      return
    }
    canvas.withBackground(of: look.isSelected ? .selected : .text) { canvas in
      for (column, place) in DetailColumn.areas(in: inner) {
        var text = DetailValue.text(column, item)
        var role: TextRole = column == .name ? .strong : .text
        if column == .size, text.isEmpty {
          let isFailed = item.state == .failed && !item.isCancelled
          text = item.isCancelled ? "Cancelled" : isFailed ? "Error" : "–"
          role = isFailed ? .error : .faint
        }
        canvas.text(text, in: place, role, column == .name || column == .host ? .left : .right)
      }
    }
  }
}
