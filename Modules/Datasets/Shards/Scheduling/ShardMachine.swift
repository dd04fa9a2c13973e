/// Decides the next steps of a shard: a pure state machine, whose performer passes events in and executes the
/// returned actions.
///
/// Samples are fetched and rendered in any order and written in the order of their indexes. A sample that is
/// slow delays only the writing of those after it.
public struct ShardMachine: Sendable {
  public enum Event: Sendable {
    /// The line of the next sample was read.
    case lineRead
    /// The transfer of a sample succeeded; the sample is to be rendered.
    case fetched(Int)
    /// The report of a sample is ready, because it was rendered or because it failed.
    case finished(Int)
    /// The output has written this many further samples.
    case written(Int)
    /// The shard has reached its deadline.
    case deadline
  }

  public enum Action: Sendable, Equatable {
    /// Read this many further lines.
    case readLines(Int)
    case fetch(Int)
    case render(Int)
    /// Pass a sample to the output.
    case write(Int)
    /// End a sample because of the deadline of the shard; it counts as finished.
    case abandon(Int)
    /// All samples are written.
    case complete
  }

  /// The bounds of the work in progress.
  public struct Limits: Sendable {
    /// The maximum number of simultaneous transfers.
    public var transfers: Int
    /// The maximum number of samples that the renderer works on or has queued.
    public var renderings: Int
    /// The maximum number of samples in the output's hands before no others are begun.
    public var unwritten = 1_024
    /// The maximum number of samples from the first one that is not written to the last one that was begun.
    public var window = 16_384

    public init(transfers: Int, renderings: Int) {
      self.transfers = max(1, transfers)
      self.renderings = max(1, renderings)
    }
  }

  private enum Stage { case fetching, fetched, rendering }

  private let count: Int
  private let limits: Limits
  private var linesRead = 0
  private var linesRequested = 0
  private var nextToBegin = 0
  private var nextToWrite = 0
  private var writtenCount = 0
  private var stages: [Int: Stage] = [:]
  private var fetchingCount = 0
  private var renderingCount = 0
  /// The fetched samples in ascending order: the first ones hold up the output.
  private var queue: [Int] = []
  private var finished: Set<Int> = []
  private var isPastDeadline = false
  private var isComplete = false

  public init(count: Int, _ limits: Limits) {
    self.count = count
    self.limits = limits
  }

  /// Returns the first actions.
  public mutating func begin() -> [Action] { advance() }

  public mutating func handle(_ event: Event) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .lineRead: linesRead += 1
    case .fetched(let index):
      guard stages[index] == .fetching else { return [] }
      stages[index] = .fetched
      fetchingCount -= 1
      queue.insert(index, at: position(of: index))
    case .finished(let index):
      guard let stage = stages[index] else { return [] }
      finish(index, stage)
    case .written(let count): writtenCount += count
    case .deadline:
      isPastDeadline = true
      for (index, stage) in stages.sorted(by: { $0.key < $1.key }) {
        finish(index, stage)
        actions.append(.abandon(index))
      }
    }
    return actions + advance()
  }

  private mutating func finish(_ index: Int, _ stage: Stage) {
    stages[index] = nil
    switch stage {
    case .fetching: fetchingCount -= 1
    case .rendering: renderingCount -= 1
    case .fetched: queue.remove(at: position(of: index))
    }
    finished.insert(index)
  }

  /// The position of an index in the queue, by binary search.
  private func position(of index: Int) -> Int {
    var range = queue.startIndex..<queue.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        queue[middle] < index ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  private mutating func advance() -> [Action] {
    var actions: [Action] = []
    writeFinished(&actions)
    begin(&actions)
    while renderingCount < limits.renderings, let index = queue.first {
      queue.removeFirst()
      stages[index] = .rendering
      renderingCount += 1
      actions.append(.render(index))
    }
    let wanted = min(count, nextToBegin + 2 * limits.transfers)
    if wanted > linesRequested {
      actions.append(.readLines(wanted - linesRequested))
      linesRequested = wanted
    }
    if writtenCount == count, !isComplete {
      isComplete = true
      actions.append(.complete)
    }
    return actions
  }

  /// Begins samples whose lines were read.
  private mutating func begin(_ actions: inout [Action]) {
    while nextToBegin < linesRead {
      let index = nextToBegin
      if isPastDeadline {
        finished.insert(index)
        actions.append(.abandon(index))
      } else {
        // Fetched bodies that wait for the renderer take memory, as transfers do.
        guard fetchingCount + queue.count < 2 * limits.transfers,
          fetchingCount < limits.transfers, nextToWrite - writtenCount < limits.unwritten,
          nextToBegin - writtenCount < limits.window
        else { return }
        stages[index] = .fetching
        fetchingCount += 1
        actions.append(.fetch(index))
      }
      nextToBegin += 1
    }
    if isPastDeadline { writeFinished(&actions) }
  }

  /// Passes the next samples to the output if they are finished.
  private mutating func writeFinished(_ actions: inout [Action]) {
    while finished.remove(nextToWrite) != nil {
      actions.append(.write(nextToWrite))
      nextToWrite += 1
    }
  }
}
