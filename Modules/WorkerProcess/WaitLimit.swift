/// How long a call of a connection may wait for the helper.
enum WaitLimit {
  case deadline(Deadline)
  /// The time that the helper has for its work.
  case work(WorkTime, of: ChildProcess)

  /// The moment until which the call waits before it checks the limit.
  var firstCheck: Deadline {
    switch self {
    case .deadline(let deadline): deadline
    case .work(let time, _): time.nextCheck
    }
  }

  var isEndless: Bool {
    if case .deadline(.never) = self { true } else { false }
  }

  func check(now: Deadline) -> WorkTime.Check {
    switch self {
    case .deadline(let deadline): now < deadline ? .again(at: deadline) : .over(.clock)
    case .work(let time, let helper): time.check(used: helper.processorNanoseconds, now: now)
    }
  }
}

extension WorkerError {
  /// The error for a helper whose time has ended.
  static func late(_ end: WorkTime.End, _ words: String) -> WorkerError {
    switch end {
    case .clock: WorkerError(.timedOut, words)
    case .processor: WorkerError(.processorTime, "the helper has used up its processor time")
    }
  }
}
