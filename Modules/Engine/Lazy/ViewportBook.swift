import Models
enum Rank: Int, Sendable { case rest, prefetch, visible }
struct ViewportBook: Sendable {
  enum Event: Sendable { case looked(ViewerID, RecordID, Range<Int>), left(ViewerID, RecordID?), tick }
  struct Action { var raise: [(RecordID, Range<Int>, Rank)] = []; var lower: [(RecordID, Range<Int>)] = []; var wake: Double? }
  init(rest: Double, prefetch: Int) {}
  mutating func handle(_ event: Event, now: Double) -> Action { Action() }
  func rank(of place: Int, in record: RecordID) -> Rank? { nil }
}
