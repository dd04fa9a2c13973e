import Models
import Persistence
import Transport

/// Decides what the end of an exchange means for the download, from what its sink has received. Pure.
enum ResponseJudgement: Equatable {
  /// The partial file has all bytes; its content is checked next.
  case complete
  /// The file that the library holds is still current.
  case unchanged(ExistingFile)
  /// The request must be repeated without a range.
  case startOver
  /// The request must be repeated without a range, and the response judged before it replaces the bytes.
  case requestWhole(WholeBodyCheck.Endangered)
  /// The response was a part of the missing bytes, as it has stated; the rest is requested next.
  case part
  /// The message of the server was complete, although next to nothing of the requested range was received.
  case short(Failure)
  case failed(Failure)

  struct Failure: Equatable {
    let cause: DownloadFailure
    /// Whether a later attempt can continue from the bytes on disk, if their validator permits it.
    var keepsPartialFile = true
  }

  /// The state of the sink after the last byte.
  struct Received: Equatable {
    /// The decision about the head of the response; nil if there was none.
    var decision: ResumeDecision?
    /// The length of the partial file in bytes.
    var byteCount: Int64 = 0
    /// The length in bytes of the beginning of the file that was not requested.
    var priorByteCount: Int64 = 0
    /// The length of the complete file in bytes; nil if it is unknown.
    var totalBytes: Int64?
    /// The reason why the content of a coded body is incomplete.
    var decodingProblem: String?
    /// Whether the response has the whole file, and not a part or an error.
    var hasWholeBody = false
    /// Whether the partial file was opened.
    var hasBegun = false
    /// The bytes of another URL that the response would replace.
    var endangered: WholeBodyCheck.Endangered?
    /// The bytes that a request for the whole file would replace; nil if there are none.
    var replaceable: WholeBodyCheck.Endangered?
  }

  /// Judges an exchange that the transport has completed.
  /// - Parameter existing: The file of the library that a 304 response confirms; nil if there is none.
  init(_ received: Received, confirming existing: ExistingFile?) {
    let gained = received.byteCount &- received.priorByteCount
    switch received.decision {
    // A server that sends next to nothing of each range would be asked without end.
    case .append(_, let end?)?
    where received.byteCount == end && gained >= RetryPolicy.minimumProgressBytes:
      self = .part
    case .append?, .restart?, .complete?:
      if let total = received.totalBytes, received.byteCount != total {
        let failure = Failure(
          cause: .transport(
            code: .truncated, detail: "\(received.byteCount) of \(total) bytes were received",
            isRetryable: true))
        if case .append? = received.decision, gained < RetryPolicy.minimumProgressBytes {
          self = .short(failure)
        } else {
          self = .failed(failure)
        }
      } else if let problem = received.decodingProblem {
        self = .failed(Failure(cause: .content(problem), keepsPartialFile: false))
      } else {
        self = .complete
      }
    case .unchanged?:
      self =
        existing.map { .unchanged($0) }
        ?? .failed(Failure(cause: .status(304, retryAfter: nil), keepsPartialFile: false))
    case .startOver?:
      // The bytes of another URL are given up only for a file, not for a refused range.
      if let endangered = received.endangered, !received.hasWholeBody {
        self = .requestWhole(endangered)
      } else {
        self = .startOver
      }
    case .requestWhole?: self = received.replaceable.map { .requestWhole($0) } ?? .startOver
    case .fail(.tooLarge(let limit, let reason))?:
      self = .failed(
        Failure(cause: .tooLarge(limit: limit, reason: reason), keepsPartialFile: false))
    case .fail(let cause)?: self = .failed(Failure(cause: cause))
    case nil: self = .failed(Failure(cause: .protocolViolation("there was no response")))
    }
  }
}

extension ResponseJudgement.Failure {
  /// Judges an exchange that has failed.
  init(_ received: ResponseJudgement.Received, _ error: TransportError) {
    // A sink that refuses the body ends the exchange, and has recorded the reason.
    if case .fail(let cause)? = received.decision {
      self.init(cause: cause, keepsPartialFile: !received.hasBegun)
    } else {
      let cause = DownloadFailure(error)
      // Bytes that do not fit into a file are of no use to a later attempt.
      if case .tooLarge = cause {
        self.init(cause: cause, keepsPartialFile: false)
      } else {
        self.init(cause: cause)
      }
    }
  }
}
