import JSON
import Models

/// Reads the members of `{"id": String, "slices": [String]}` in either order.
struct SeriesReader: Sendable {
  private enum Member { case id, slices, other }
  private enum Slice { case name(String), fault(String) }

  private let limit: Int
  private let address: SeriesAddress
  private var id: String?
  private var member = Member.other
  private var depth = 0
  private var hasSlices = false
  /// The slices that were read before the id, which their URLs need.
  private var pending: [Slice] = []

  init(base: HTTPURL?, limits: ManifestLimits) throws(ManifestError) {
    guard let base else {
      throw ManifestError(
        .noAddress, file: "",
        "a series needs the URL of its source, which is the base URL of its slices")
    }
    address = SeriesAddress(base)
    limit = limits.pendingSlices
  }

  /// Handles the events after the opening brace of the object.
  ///
  /// - Returns: true for the closing brace of the object.
  mutating func handle(
    _ event: JSONEvent, into collector: inout EntryCollector
  ) throws(ManifestError) -> Bool {
    switch event {
    case .beginArray, .beginObject:
      try startSeries(event, into: &collector)
    case .endArray, .endObject:
      if depth == 0 {
        try checkComplete()
        return true
      }
      depth &-= 1
    case .key(let name):
      if depth == 0 { member = name == "id" ? .id : name == "slices" ? .slices : .other }
    case .string(let text) where depth == 0 && member == .id:
      try begin(id: text, into: &collector)
    case .string(let text) where depth == 1 && member == .slices:
      try add(text.isEmpty ? .fault("is a slice without a name") : .name(text), into: &collector)
    default:
      if depth == 0, member != .other { throw wrong(event) }
      if depth == 1, member == .slices {
        try add(.fault("is \(EntryReader.name(event)), not a slice's name"), into: &collector)
      }
    }
    return false
  }

  private func checkComplete() throws(ManifestError) {
    guard id != nil else { throw shape("the series has no \"id\"") }
    guard hasSlices else { throw shape("the series has no \"slices\"") }
  }

  private mutating func startSeries(
    _ event: JSONEvent, into collector: inout EntryCollector
  ) throws(ManifestError) {
    if depth == 0, member == .id || (member == .slices && event != .beginArray) {
      throw wrong(event)
    }
    if depth == 0, member == .slices { hasSlices = true }
    if depth == 1, member == .slices {
      try add(.fault("is \(EntryReader.name(event)), not a slice's name"), into: &collector)
    }
    depth &+= 1
  }

  private mutating func begin(
    id text: String, into collector: inout EntryCollector
  ) throws(ManifestError) {
    guard !text.isEmpty else { throw shape("the series' \"id\" is empty") }
    guard id == nil else { throw shape("the series has two ids") }
    id = text
    collector.items.append(.series(id: text))
    let slices = pending
    pending = []
    for slice in slices { try add(slice, into: &collector) }
  }

  private mutating func add(
    _ slice: Slice, into collector: inout EntryCollector
  ) throws(ManifestError) {
    guard let id else {
      guard pending.count < limit else {
        throw shape("the series has more than \(limit) slices before its \"id\"")
      }
      return pending.append(slice)
    }
    switch slice {
    case .name(let name): collector.addEntry(url: address.slice(id: id, name: name), title: name)
    case .fault(let reason): collector.addProblem(reason)
    }
  }

  private func wrong(_ event: JSONEvent) -> ManifestError {
    member == .id
      ? shape("the series' \"id\" is \(EntryReader.name(event)), not a string")
      : shape("the series' \"slices\" are \(EntryReader.name(event)), not an array")
  }

  private func shape(_ reason: String) -> ManifestError {
    ManifestError(.shape, file: "", reason)
  }
}
