import JSON

/// A receiver of the events of a list in JSON.
protocol JSONEventHandler {
  /// Handles an event. A thrown error ends the parsing; the parser rethrows it with the position added.
  mutating func handle(_ event: JSONEvent) throws(ManifestError)
}

extension JSONParser {
  /// - Parameters:
  ///   - limits: The limits, of which `depth` and `textLength` apply.
  ///   - line: The number of the first line, for messages.
  init(_ limits: ManifestLimits, stopsAfterValue: Bool = false, line: Int = 1) {
    var policy = JSONPolicy()
    (policy.depth, policy.textLength) = (limits.depth, limits.textLength)
    policy.stopsAfterValue = stopsAfterValue
    self.init(policy, line: line)
  }

  /// Parses the next bytes.
  ///
  /// - Parameter file: The name of the list in messages.
  /// - Returns: The number of parsed bytes; if the parser stops after the value, it may be less than all.
  /// - Throws: A parse error with its position, or the handler's error with the position of the event.
  @discardableResult
  mutating func receive<Handler: JSONEventHandler>(
    _ bytes: RawSpan, into handler: inout Handler, file: String = ""
  ) throws(ManifestError) -> Int {
    var index = 0
    while let event = try nextEvent(bytes, &index, file) {
      try pass(event, endingAt: index, to: &handler, file)
    }
    return index
  }

  /// Ends the text, which completes a top-level number.
  mutating func finish<Handler: JSONEventHandler>(
    into handler: inout Handler, file: String = ""
  ) throws(ManifestError) {
    while let event = try lastEvent(file) { try pass(event, endingAt: 0, to: &handler, file) }
  }

  private mutating func nextEvent(
    _ bytes: RawSpan, _ index: inout Int, _ file: String
  ) throws(ManifestError) -> JSONEvent? {
    do throws(JSONError) { return try next(bytes, &index) } catch {
      throw ManifestError(error, file: file)
    }
  }

  private mutating func lastEvent(_ file: String) throws(ManifestError) -> JSONEvent? {
    do throws(JSONError) { return try finish() } catch { throw ManifestError(error, file: file) }
  }

  private func pass<Handler: JSONEventHandler>(
    _ event: JSONEvent, endingAt index: Int, to handler: inout Handler, _ file: String
  ) throws(ManifestError) {
    do throws(ManifestError) {
      try handler.handle(event)
    } catch {
      throw ManifestError(
        error.code, file: file, at: position(of: event, endingAt: index), error.reason)
    }
  }
}

extension ManifestError {
  fileprivate init(_ error: JSONError, file: String) {
    let code: Code
    var reason = error.reason
    switch error.cause {
    case .tooDeep: (code, reason) = (.tooDeep, reason + " (limits.manifestDepth)")
    case .tooLong: (code, reason) = (.tooLong, reason + " (limits.manifestTextBytes)")
    case .notUTF8: (code, reason) = (.encoding, reason + "; convert it to UTF-8 first")
    default: code = error.isTruncated ? .truncated : .notJSON
    }
    self.init(code, file: file, at: error.position, reason)
  }

  fileprivate init(_ code: Code, file: String, at place: JSONError.Position, _ reason: String) {
    self.init(
      code, file: file, offset: place.offset, line: place.line, column: place.column, reason)
  }
}
