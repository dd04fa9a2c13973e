import HTTP1

/// Where a list continues: behind a certain row, wherever that row is by then.
///
/// Rows that come at the top or go elsewhere do not make a reader miss or repeat any.
struct ListCursor: Equatable {
  /// Where the row was when it was read, from 0.
  let offset: Int
  let id: Int64

  /// Rows before and behind the old place in which it is looked for.
  private static let reach = 5_000

  init(offset: Int, id: Int64) {
    self.offset = offset
    self.id = id
  }

  /// One spelling for each: `12-345`.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let offset = Int(parts[0]), let id = Int64(parts[1]), offset >= 0,
      id > 0, "\(offset)-\(id)" == text
    else { return nil }
    self.init(offset: offset, id: id)
  }

  var text: String { "\(offset)-\(id)" }

  /// The place of the first row that was not read yet.
  /// - Throws: `cursorGone` when the row is too far from where it was, or gone.
  func next(
    _ rows: (_ offset: Int, _ limit: Int) async throws -> [Int64]
  ) async throws -> Int {
    if try await rows(offset, 1).first == id { return offset &+ 1 }
    let start = max(0, offset &- Self.reach)
    if let index = try await rows(start, 2 * Self.reach).firstIndex(of: id) {
      return start + index + 1
    }
    throw ControlError(
      .cursorGone, "the row at which the list goes on is gone; begin again without a cursor")
  }
}

/// Which part of a list is wanted: `?limit=` and `?after=`.
struct ListQuery {
  let limit: Int
  let after: ListCursor?

  static let parameters: Set<String> = ["limit", "after"]
  static let limits = 1...1_000
  static let usualLimit = 100

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
      limit = Self.usualLimit
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

  /// The rows that are wanted, and the cursor behind the last of them; nil at the end of the list.
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
