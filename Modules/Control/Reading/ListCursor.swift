import HTTP1

/// A cursor that continues a list after a certain row, even if that row has moved. A reader neither misses
/// nor repeats rows when rows are inserted before the cursor or moved.
struct ListCursor: Equatable {
  /// The index of the row when it was read, from 0.
  let offset: Int
  let id: Int64

  /// The number of rows before and after the old index in which the row is searched.
  private static let searchRadius = 5_000

  init(offset: Int, id: Int64) {
    self.offset = offset
    self.id = id
  }

  /// Parses a cursor such as `12-345`; nil for any other spelling.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let offset = Int(parts[0]), let id = Int64(parts[1]), offset >= 0,
      id > 0, "\(offset)-\(id)" == text
    else { return nil }
    self.init(offset: offset, id: id)
  }

  var text: String { "\(offset)-\(id)" }

  /// Returns the index of the row that follows the cursor's row.
  /// - Throws: `cursorGone` if the row was removed or has moved too far.
  func next(
    _ rows: (_ offset: Int, _ limit: Int) async throws -> [Int64]
  ) async throws -> Int {
    if try await rows(offset, 1).first == id { return offset &+ 1 }
    let start = max(0, offset &- Self.searchRadius)
    if let index = try await rows(start, 2 * Self.searchRadius).firstIndex(of: id) {
      return start + index + 1
    }
    throw ControlError(
      .cursorGone, "the row of the cursor was removed; restart without a cursor")
  }
}

/// The requested part of a list: `?limit=` and `?after=`.
struct ListQuery {
  let limit: Int
  let after: ListCursor?

  static let parameters: Set<String> = ["limit", "after"]
  static let limits = 1...1_000
  static let defaultLimit = 100

  init(_ call: Call) throws(ControlError) {
    let target = call.request.target
    if let text = target["limit"] {
      guard let number = Int(text), Self.limits.contains(number), "\(number)" == text else {
        throw ControlError(
          .badRequest,
          "\"limit\" is not a number from \(Self.limits.lowerBound) to \(Self.limits.upperBound)")
      }
      limit = number
    } else {
      limit = Self.defaultLimit
    }
    if let text = target["after"] {
      guard let cursor = ListCursor(text) else {
        throw ControlError(.badRequest, "\"after\" is not a cursor of this list")
      }
      after = cursor
    } else {
      after = nil
    }
  }

  /// Returns the requested rows, and the cursor after the last of them, or nil at the end of the list.
  func page<Row>(
    id: (Row) -> Int64, _ rows: (_ offset: Int, _ limit: Int) async throws -> [Row]
  ) async throws -> (rows: [Row], next: String?) {
    let start = try await after?.next { try await rows($0, $1).map(id) } ?? 0
    var page = try await rows(start, limit + 1)
    guard page.count > limit else { return (page, nil) }
    page.removeLast()
    let last = page.last.map { ListCursor(offset: start &+ limit &- 1, id: id($0)) }
    return (page, last?.text)
  }
}
