import LibraryAPI
import Models

/// Who looks at what, and which resources that makes urgent (LZ2).
///
/// A pure machine: times are seconds of any clock that does not go back. What always holds:
/// - A range counts when a viewer has kept to it for `rest` seconds. Until then the one before
///   counts, so that what only scrolls past is never wanted.
/// - Looking away counts at once.
/// - A resource has the highest rank that any viewer gives it: `visible` in its range, `prefetch`
///   among the `prefetch` resources on either side of it.
/// - The actions, applied in order, give exactly these ranks; nothing is told twice.
struct ViewportTracker: Sendable {
  enum Event: Sendable {
    /// By place in the record's order; takes the place of what the viewer said of that record
    /// before.
    case looked(ViewerID, RecordID, Range<Int>)
    /// The viewer looks away from a record; nil means from all, it is gone.
    case left(ViewerID, RecordID?)
    /// The record is no more: nothing is told of it, not even that nobody wants it.
    case removed(RecordID)
    /// Time has passed.
    case tick
  }

  struct Action: Sendable {
    /// What has this rank from now on: a higher one, or `prefetch` after `visible`. What is visible
    /// comes first; else by record and place.
    var raise: [(record: RecordID, range: Range<Int>, rank: Rank)] = []
    /// What nobody wants any more, by record and place.
    var lower: [(record: RecordID, range: Range<Int>)] = []
    /// When to send `.tick`, if nothing happens before.
    var wake: Double?
  }

  private struct View: Sendable {
    /// What counts.
    var range = 0..<0
    /// What will count if it stays, and since when.
    var next: Range<Int>?
    var since = 0.0
  }

  /// Seconds for which a range has to stay.
  let rest: Double
  /// Resources on either side of a range that are fetched, too.
  let prefetch: Int

  private var views: [RecordID: [ViewerID: View]] = [:]
  private var ranks: [RecordID: RankedRanges] = [:]

  /// - Parameters:
  ///   - rest: seconds.
  ///   - prefetch: none by default, as a lazy record fetches only what is visible.
  init(rest: Double = 0.06, prefetch: Int = 0) {
    self.rest = max(0, rest)
    self.prefetch = max(0, prefetch)
  }

  /// The rank of a resource by its place.
  func rank(of place: Int, in record: RecordID) -> Rank { ranks[record]?.rank(at: place) ?? .rest }

  var records: [RecordID] { ranks.keys.sorted() }

  /// What of a record is looked at.
  func parts(of record: RecordID) -> [RankedRanges.Part] { ranks[record]?.parts ?? [] }

  /// O(number of viewers and of records that they look at).
  mutating func handle(_ event: Event, now: Double) -> Action {
    var changed: Set<RecordID> = []
    switch event {
    case .looked(let viewer, let record, let range): look(viewer, record, range, now)
    case .left(let viewer, let record):
      for record in record.map({ [$0] }) ?? Array(views.keys)
      where views[record]?.removeValue(forKey: viewer) != nil { changed.insert(record) }
    case .removed(let record): (views[record], ranks[record]) = (nil, nil)
    case .tick: break
    }
    var action = Action()
    settle(now, &changed, &action.wake)
    for record in changed.sorted() { tell(record, &action) }
    action.raise.sort {
      $0.rank == $1.rank
        ? ($0.record, $0.range.lowerBound) < ($1.record, $1.range.lowerBound) : $0.rank > $1.rank
    }
    return action
  }

  private mutating func look(
    _ viewer: ViewerID, _ record: RecordID, _ range: Range<Int>, _ now: Double
  ) {
    var view = views[record]?[viewer] ?? View()
    let range = range.isEmpty ? 0..<0 : max(0, range.lowerBound)..<max(0, range.upperBound)
    if view.next != range {
      // Back to what counts: nothing is to change. Else the time restarts.
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

  /// Lets count what has stayed long enough.
  private mutating func settle(
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

  private mutating func tell(_ record: RecordID, _ action: inout Action) {
    if views[record]?.isEmpty ?? false { views[record] = nil }
    let new = RankedRanges(overlapping: (views[record] ?? [:]).values.flatMap(parts))
    let old = ranks.updateValue(new, forKey: record) ?? RankedRanges()
    if new.isEmpty { ranks[record] = nil }
    for part in old.changes(to: new) {
      if part.rank == .rest {
        action.lower.append((record, part.range))
      } else {
        action.raise.append((record, part.range, part.rank))
      }
    }
  }

  private func parts(_ view: View) -> [RankedRanges.Part] {
    let range = view.range
    guard !range.isEmpty else { return [] }
    let (end, overflow) = range.upperBound.addingReportingOverflow(prefetch)
    let around = max(0, range.lowerBound - prefetch)..<(overflow ? .max : end)
    return [
      RankedRanges.Part(range: range, rank: .visible),
      RankedRanges.Part(range: around, rank: .prefetch),
    ]
  }
}
