import LibraryAPI
import Models
import TestSupport

/// What users, servers and the time do to one library, in order. A seed always gives the same script.
struct InterleavingScript: Sendable, CustomStringConvertible {
  enum Step: Sendable {
    case add(list: Int, again: Bool)
    /// A list stands for the newest record that was made of it; nil for all records.
    case pause(list: Int?), resume(list: Int?), retry(list: Int?)
    case cancel(list: Int), reload(list: Int), remove(list: Int)
    case reset
    case setPriority(RecordPriority, list: Int)
    case setConcurrency(Int), setPerHost(Int)
    case look(viewer: Int, list: Int, Range<Int>)
    case lookAway(viewer: Int)
    /// Somebody asks for one resource, and somebody who did gives up.
    case call(picture: Int, CachePolicy)
    case giveUp(call: Int)
    /// A transfer that stands still goes on: one of those that do then, by its number among them.
    case answer(transfer: Int, toEnd: Bool)
    case advance(seconds: Double)
    /// The program ends and begins anew.
    case restart
  }

  let seed: UInt64
  /// Whether the outcome is the same with any timing: nothing arrives while a verb is at work.
  let isCalm: Bool
  let makesThumbnails: Bool
  let concurrency: Int
  let perHost: Int
  /// The pictures of each list; some are in several.
  let lists: [[Int]]
  /// Which pictures fail at their first request, and how.
  let moods: UInt64
  /// The steps of a burst begin in that order, none of them waiting for another one.
  let bursts: [[Step]]

  static let pictures = 1...12
  /// Its resources are fetched only when somebody looks at them.
  static let lazyList = 2
  /// The server never has it.
  static let missingPicture = 7

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    isCalm = Bool.random(using: &random)
    // How far thumbnails are when a verb comes is a matter of timing.
    makesThumbnails = Int.random(in: 0..<4, using: &random) == 0 && !isCalm
    concurrency = Int.random(in: 1...5, using: &random)
    perHost = Int.random(in: 1...4, using: &random)
    lists = (0...Self.lazyList).map { _ in
      (0..<Int.random(in: 1...7, using: &random)).map { _ in
        Int.random(in: Self.pictures, using: &random)
      }
    }
    moods = random.next()
    var bursts = [[Step.add(list: 0, again: false)]]
    for _ in 0..<Int.random(in: 6...16, using: &random) {
      bursts.append(Self.burst(isCalm: isCalm, &random))
    }
    self.bursts = bursts
  }

  var description: String {
    let lines = bursts.map { burst in "  " + burst.map { "\($0)" }.joined(separator: " · ") }
    return """
      seed \(seed)\(isCalm ? ", calm" : ""), \(concurrency) at once, \(perHost) a host, lists \(lists)\
      \(makesThumbnails ? ", thumbnails" : "")
      \(lines.joined(separator: "\n"))
      """
  }

  private static func burst(isCalm: Bool, _ random: inout SeededGenerator) -> [Step] {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<2: return [.reset]
    case 2..<5: return [.restart]
    case 5..<50 where isCalm: return [event(&random)]
    default: break
    }
    var steps: [Step] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let isEvent = !isCalm && Int.random(in: 0..<5, using: &random) < 2
      let step = isEvent ? event(&random) : verb(isCalm: isCalm, &random)
      // The order of two of them could not be told afterwards.
      if case .add = step, steps.contains(where: { if case .add = $0 { true } else { false } }) {
        continue
      }
      if isCalm, steps.contains(where: { $0.contends(with: step) }) { continue }
      // A list that is being read, or a caller who leaves, beside a verb is a matter of timing, too.
      switch step {
      case .add where isCalm, .giveUp where isCalm: return [step]
      default: steps.append(step)
      }
    }
    return steps
  }

  private static func event(_ random: inout SeededGenerator) -> Step {
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<6:
      .answer(
        transfer: Int.random(in: 0..<8, using: &random),
        toEnd: Int.random(in: 0..<3, using: &random) > 0)
    default: .advance(seconds: [0.02, 0.06, 3, 60][Int.random(in: 0..<4, using: &random)])
    }
  }

  private static func verb(isCalm: Bool, _ random: inout SeededGenerator) -> Step {
    let list = Int.random(in: 0...lazyList, using: &random)
    let listOrAll = Int.random(in: 0..<3, using: &random) == 0 ? nil : list
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<6:
      // Whether everything of the list is there already may depend on the timing.
      return .add(list: list, again: !isCalm || Int.random(in: 0..<4, using: &random) == 0)
    case 6..<10: return .pause(list: listOrAll)
    case 10..<14: return .resume(list: listOrAll)
    case 14..<17: return .cancel(list: list)
    case 17..<20: return .reload(list: list)
    case 20..<23: return .retry(list: listOrAll)
    case 23..<25: return .remove(list: list)
    case 25: return .setConcurrency(Int.random(in: 1...6, using: &random))
    case 26: return .setPerHost(Int.random(in: 1...6, using: &random))
    case 27..<29:
      return .setPriority(
        RecordPriority.allCases.randomElement(using: &random) ?? .normal, list: list)
    case 29..<33:
      let start = Int.random(in: 0..<6, using: &random)
      return .look(
        viewer: Int.random(in: 0..<2, using: &random), list: list,
        start..<start + Int.random(in: 1...4, using: &random))
    case 33: return .lookAway(viewer: Int.random(in: 0..<2, using: &random))
    case 34..<38:
      return .call(
        picture: Int.random(in: pictures, using: &random),
        CachePolicy.allCases.randomElement(using: &random) ?? .cached)
    default: return .giveUp(call: Int.random(in: 0..<4, using: &random))
    }
  }
}

extension InterleavingScript.Step {
  /// Whose transfers a verb ends or begins.
  private enum Scope: Equatable {
    case list(Int), all
  }

  /// Of a verb that has several turns.
  private var scope: Scope? {
    switch self {
    case .resume(let list), .retry(let list): list.map { .list($0) } ?? .all
    case .pause(let list): list.map { .list($0) }
    case .cancel(let list), .reload(let list), .remove(let list), .look(_, let list, _): .list(list)
    case .add, .reset, .setPriority, .setConcurrency, .setPerHost, .lookAway, .call, .giveUp,
      .answer, .advance, .restart:
      nil
    }
  }

  /// Whether it is a matter of timing which of both comes first. Verbs on one record come one after the
  /// other; of those on several, one may free a slot, or leave a transfer that the records share, before the
  /// other one wants it, or after. And a caller may still find a file that is being removed, or not.
  fileprivate func contends(with other: Self) -> Bool {
    switch (self, other) {
    case (.call, .remove), (.remove, .call): return true
    default: break
    }
    guard let scope, let other = other.scope else { return false }
    return scope != other
  }
}
