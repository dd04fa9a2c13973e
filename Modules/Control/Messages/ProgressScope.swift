import HTTP1
import LibraryAPI
import Models

/// The part of the progress that a reader requests.
enum ProgressScope: Sendable, Hashable {
  case none
  case everything
  case records(Set<RecordID>)
  /// The records that this viewer shows.
  case viewer(_ of: ViewerID)

  /// The maximum number of records in one request.
  static let recordLimit = 100

  /// Parses the query. Every parameter is validated, even if another parameter makes it irrelevant.
  init(_ target: RequestTarget) throws(ControlError) {
    let records = try target["records"].map(Self.records)
    let viewer = try target["viewer"].map(Self.viewer)
    guard records == nil || viewer == nil else {
      throw ControlError(.badRequest, "\"records\" and \"viewer\" exclude each other")
    }
    switch target["progress"] {
    case nil, "0"?: self = .none
    case "1"?: self = records.map { .records($0) } ?? viewer.map { .viewer($0) } ?? .everything
    default: throw ControlError(.badRequest, "\"progress\" is neither 0 nor 1")
    }
  }

  private static func records(_ text: String) throws(ControlError) -> Set<RecordID> {
    let numbers = text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
    let records = numbers.compactMap { Int64(oneSpelling: $0) }
    guard records.count == numbers.count, records.count <= recordLimit,
      records.allSatisfy({ $0 > 0 })
    else {
      throw ControlError(
        .badRequest,
        "\"records\" is not a list of at most \(recordLimit) record ids, such as 1,2")
    }
    return Set(records.map { RecordID($0) })
  }

  private static func viewer(_ text: String) throws(ControlError) -> ViewerID {
    guard let number = UInt64(oneSpelling: text) else {
      throw ControlError(.badRequest, "\"viewer\" is not the number of a viewer")
    }
    return ViewerID(number)
  }
}
