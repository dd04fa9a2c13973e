import LibraryAPI
import Models

/// The number of resources or entries that a call affected.
struct CountMessage: Codable, Equatable {
  var count: Int
}

/// `POST /v1/records/{record}/retry` and `…/reload`: the ids of resources of the record.
struct ResourcesMessage: Codable, Equatable {
  var resources: [Int64]

  init(_ resources: [ResourceID]) { self.resources = resources.map(\.rawValue) }

  func ids() throws(ControlError) -> [ResourceID] {
    guard resources.allSatisfy({ $0 > 0 }) else {
      throw ControlError(.badBody, "\"resources\" are not numbers from 1 on")
    }
    return resources.map { ResourceID($0) }
  }
}

/// `POST /v1/requeue`: the ids of resources whose files are damaged.
struct RequeueMessage: Codable, Equatable {
  var resources: [Int64]
  var reason: String

  init(_ resources: [ResourceID], reason: String) {
    self.resources = resources.map(\.rawValue)
    self.reason = reason
  }

  func ids() throws(ControlError) -> [ResourceID] {
    try ResourcesMessage(resources.map { ResourceID($0) }).ids()
  }
}

/// `PUT /v1/settings/…`: the limit of concurrent transfers.
struct LimitMessage: Codable, Equatable {
  var limit: WholeNumber

  init(_ limit: Int) { self.limit = WholeNumber(limit) }

  static let range = 1...1_024

  func value() throws(ControlError) -> Int {
    guard Self.range.contains(limit.value) else {
      throw ControlError(
        .badBody,
        "\"limit\" is not a number from \(Self.range.lowerBound) to \(Self.range.upperBound)")
    }
    return limit.value
  }
}

/// `PUT /v1/settings/rate-limit`: a number of bytes per second, 0 for no limit.
struct RateLimitMessage: Codable, Equatable {
  var limit: WholeNumber

  init(_ limit: Int) { self.limit = WholeNumber(limit) }

  func value() throws(ControlError) -> Int {
    guard limit.value >= 0 else {
      throw ControlError(.badBody, "\"limit\" is not a number of bytes per second")
    }
    return limit.value
  }
}

/// The response to the removal of a record or of all records: the files that could not be deleted.
struct LeftoversMessage: Codable, Equatable {
  /// The number of files.
  var count: Int
  /// One clause for each of the first files, with its path and the reason.
  var files: [String]

  init(_ leftovers: Leftovers) {
    count = leftovers.count
    files = leftovers.descriptions
  }

  var leftovers: Leftovers { Leftovers(count: count, descriptions: files) }
}

/// The value of `files` in the query of `DELETE /v1/records/{id}`: whether the files of the record stay.
enum FilesQuery {
  static let kept = "keep"

  static func isKept(_ value: String?) throws(ControlError) -> Bool {
    guard let value else { return false }
    guard value == kept else {
      throw ControlError(.badRequest, "the query parameter files is not \(kept)")
    }
    return true
  }
}

/// `PUT /v1/records/{id}/priority`: `low`, `normal` or `high`.
struct PriorityMessage: Codable, Equatable {
  var priority: String

  init(_ priority: RecordPriority) { self.priority = Self.name(priority) }

  func value() throws(ControlError) -> RecordPriority {
    guard let value = RecordPriority.allCases.first(where: { Self.name($0) == priority }) else {
      throw ControlError(.badBody, "\"priority\" is not one of low, normal, high")
    }
    return value
  }

  static func name(_ priority: RecordPriority) -> String {
    switch priority {
    case .low: "low"
    case .normal: "normal"
    case .high: "high"
    }
  }
}

/// `PUT /v1/viewers/{viewer}/records/{id}`: a range of positions in the record's order, from 0; `to` is
/// exclusive.
struct VisibleRangeMessage: Codable, Equatable {
  var from: WholeNumber
  var to: WholeNumber

  init(_ range: Range<Int>) {
    from = WholeNumber(range.lowerBound)
    to = WholeNumber(range.upperBound)
  }

  /// The valid positions.
  static let positions = 0...1_000_000_000

  func range() throws(ControlError) -> Range<Int> {
    guard Self.positions.contains(from.value), Self.positions.contains(to.value) else {
      throw ControlError(
        .badBody, "\"from\" and \"to\" are not positions up to \(Self.positions.upperBound)")
    }
    guard from.value >= 0, to.value >= from.value else {
      throw ControlError(.badValue, "\"from\" and \"to\" are not a valid range")
    }
    return from.value..<to.value
  }
}
