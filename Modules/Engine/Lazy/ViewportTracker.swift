import LibraryAPI
import Models

/// Determines which resources are visible in viewers, and with which precedence (LZ2).
///
/// A pure state machine; times are seconds of a monotonic clock. Invariants:
/// - A new range takes effect after it has been unchanged for `rest` seconds. Until then the previous
///   range applies, so that resources that are only scrolled past are never requested.
/// - A range that is cleared loses its effect at once.
/// - A resource has the highest precedence that any viewer gives it: `visible` inside its range,
///   `prefetch` for up to `prefetch` resources on either side of it.
/// - The actions, applied in order, produce exactly these precedences; no change is reported twice.
struct ViewportTracker: Sendable {
  enum Event: Sendable {
    /// A viewer shows this range of the record's order, in place of its previous range in that record.
    case rangeShown(ViewerID, RecordID, Range<Int>)
    /// A viewer no longer shows a record; nil means all records, because the viewer has closed.
    case rangeCleared(ViewerID, RecordID?)
    /// The record was removed. No change of its precedences is reported.
    case removed(RecordID)
    /// A requested wake-up time has been reached.
    case tick
  }

  struct Action: Sendable {
    /// Ranges whose precedence has risen, or has fallen from `visible` to `prefetch`. Visible ranges come
    /// first; ranges of equal precedence are in the order of records and resources.
    var raise: [(record: RecordID, range: Range<Int>, precedence: Precedence)] = []
    /// Ranges that no viewer shows any more, in the order of records and resources.
    var lower: [(record: RecordID, range: Range<Int>)] = []
    /// The time at which to send `.tick` if no event occurs before; nil for none.
    var wake: Double?
  }

  private struct View: Sendable {
    /// The range in effect.
    var range = 0..<0
    /// The range that takes effect when it has been unchanged for `rest` seconds, counted from `since`.
    var next: Range<Int>?
    var since = 0.0
  }

  /// The seconds for which a range must be unchanged before it takes effect.
  let rest: Double
  /// The number of resources on either side of a range that are requested too.
  let prefetch: Int

  private var views: [RecordID: [ViewerID: View]] = [:]
  private var precedences: [RecordID: PrecedenceRanges] = [:]

  /// - Parameters:
  ///   - rest: The seconds for which a range must be unchanged.
  ///   - prefetch: The number of resources requested on either side; 0 by default, because a lazy record
  ///     downloads only visible resources.
  init(rest: Double = 0.06, prefetch: Int = 0) {
    self.rest = max(0, rest)
    self.prefetch = max(0, prefetch)
  }

  /// Returns the precedence of the resource at a position; nil if it is neither visible in a viewer nor
  /// near a visible one.
  func precedence(of place: Int, in record: RecordID) -> Precedence? {
    precedences[record]?.precedence(at: place)
  }

  var records: [RecordID] { precedences.keys.sorted() }

  /// Returns the ranges of a record with a precedence.
  func parts(of record: RecordID) -> [PrecedenceRanges.Part] { precedences[record]?.parts ?? [] }

  /// Applies an event. O(number of viewers and of the records that they show).
  mutating func handle(_ event: Event, now: Double) -> Action {
    var changed: Set<RecordID> = []
    switch event {
    case .rangeShown(let viewer, let record, let range): setRange(viewer, record, range, now)
    case .rangeCleared(let viewer, let record):
      for record in record.map({ [$0] }) ?? Array(views.keys)
      where views[record]?.removeValue(forKey: viewer) != nil { changed.insert(record) }
    case .removed(let record): (views[record], precedences[record]) = (nil, nil)
    case .tick: break
    }
    var action = Action()
    applyDueRanges(now, &changed, &action.wake)
    for record in changed.sorted() { appendChanges(record, &action) }
    action.raise.sort {
      ($0.precedence, $0.record, $0.range.lowerBound)
        < ($1.precedence, $1.record, $1.range.lowerBound)
    }
    return action
  }

  private mutating func setRange(
    _ viewer: ViewerID, _ record: RecordID, _ range: Range<Int>, _ now: Double
  ) {
    var view = views[record]?[viewer] ?? View()
    let range = range.isEmpty ? 0..<0 : max(0, range.lowerBound)..<max(0, range.upperBound)
    if view.next != range {
      // Returning to the range in effect cancels the change; any other range restarts the timer.
      view.next = view.range == range ? nil : range
      view.since = now
    }
    set(view, of: viewer, record)
  }

  private mutating func set(_ view: View, of viewer: ViewerID, _ record: RecordID) {
    let isBlank = view.range.isEmpty && view.next == nil
    views[record, default: [:]][viewer] = isBlank ? nil : view
    if views[record]?.isEmpty ?? false { views[record] = nil }
  }

  /// Puts the ranges into effect that have been unchanged for `rest` seconds.
  private mutating func applyDueRanges(
    _ now: Double, _ changed: inout Set<RecordID>, _ wake: inout Double?
  ) {
    for (record, viewers) in views {
      for (viewer, view) in viewers {
        guard let next = view.next else { continue }
        let time = view.since + rest
        guard time <= now else {
          wake = min(wake ?? time, time)
          continue
        }
        set(View(range: next), of: viewer, record)
        changed.insert(record)
      }
    }
  }

  private mutating func appendChanges(_ record: RecordID, _ action: inout Action) {
    if views[record]?.isEmpty ?? false { views[record] = nil }
    let new = PrecedenceRanges(overlapping: (views[record] ?? [:]).values.flatMap(parts))
    let old = precedences.updateValue(new, forKey: record) ?? PrecedenceRanges()
    if new.isEmpty { precedences[record] = nil }
    for part in old.changes(to: new) {
      if let precedence = part.precedence {
        action.raise.append((record, part.range, precedence))
      } else {
        action.lower.append((record, part.range))
      }
    }
  }

  private func parts(_ view: View) -> [PrecedenceRanges.Part] {
    let range = view.range
    guard !range.isEmpty else { return [] }
    let (end, overflow) = range.upperBound.addingReportingOverflow(prefetch)
    let around = max(0, range.lowerBound - prefetch)..<(overflow ? .max : end)
    return [
      PrecedenceRanges.Part(range: range, precedence: .visible),
      PrecedenceRanges.Part(range: around, precedence: .prefetch),
    ]
  }
}
