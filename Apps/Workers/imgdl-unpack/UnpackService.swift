import Archive
import ArchiveMessages
import SystemCalls
import WorkerProcess

/// Reads archives, one at a time, and reports the entries of each over the connection.
struct UnpackService {
  private let connection: WorkerConnection

  init(_ connection: WorkerConnection) { self.connection = connection }

  /// Reads the archive of a request.
  /// - Throws: An error for a message that is not a request, or if the other program has closed the socket.
  func respond(to frame: Frame) throws(WorkerError) {
    let request = try UnpackRequest(frame)
    guard let descriptor = frame.descriptors.first else {
      throw WorkerError(.malformed, "the request has no file descriptor")
    }
    let reporter = EntryReporter(connection)
    let problem = walk(descriptor, request, reporter)
    if let failure = reporter.failure { throw failure }
    try connection.send((problem.map { EntryReporter.event($0) } ?? .end).frame)
  }

  /// Reads the archive and reports its entries.
  /// - Returns: The reason why the archive could not be read to its end; nil if it could.
  private func walk(
    _ descriptor: OwnedDescriptor, _ request: UnpackRequest, _ reporter: EntryReporter
  ) -> ArchiveError? {
    do throws(ArchiveError) {
      let file = try ArchiveFile(borrowing: descriptor.raw)
      try request.adapter.readerType.init().walk(
        file, password: request.password, visitor: reporter)
      return nil
    } catch {
      return error
    }
  }
}

/// Sends the entries of an archive to the program that requested them, which decides for each entry whether
/// its contents are read.
private final class EntryReporter: ArchiveVisitor {
  private let connection: WorkerConnection
  /// The error that ended the connection to the program; nil while the connection works.
  private(set) var failure: WorkerError?

  init(_ connection: WorkerConnection) { self.connection = connection }

  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision {
    let event = UnpackEvent.entry(
      name: Self.cut(entry.name), kind: entry.kind, isEncrypted: entry.isEncrypted,
      compressedSize: entry.compressedSize.map { max(0, $0) },
      uncompressedSize: entry.uncompressedSize.map { max(0, $0) },
      linkTarget: entry.linkTarget.map { Self.cut($0) })
    return try attempt { () throws(WorkerError) in
      try connection.send(event.frame)
      guard let answer = try connection.receive() else {
        throw WorkerError(.died, "the program has closed the connection")
      }
      return switch try UnpackDecision(answer) {
      case .skip: .skip
      case .read: .read
      case .stop: .stop
      }
    }
  }

  func receive(_ bytes: RawSpan) throws(ArchiveError) {
    var start = 0
    while start < bytes.byteCount {
      let end = min(start + UnpackEvent.maximumDataBytes, bytes.byteCount)
      let part = bytes.extracting(start..<end).withUnsafeBytes { [UInt8]($0) }
      try send(.data(part))
      start = end
    }
  }

  func endEntry() throws(ArchiveError) { try send(.endEntry) }

  func failEntry(_ error: ArchiveError) throws(ArchiveError) {
    try send(.failEntry(error.code, error.detail))
  }

  static func event(_ error: ArchiveError) -> UnpackEvent {
    .fail(error.code, error.detail, entryName: error.entryName.map { cut($0) })
  }

  private func send(_ event: UnpackEvent) throws(ArchiveError) {
    try attempt { () throws(WorkerError) in try connection.send(event.frame) }
  }

  private func attempt<Value>(
    _ body: () throws(WorkerError) -> Value
  ) throws(ArchiveError) -> Value {
    do throws(WorkerError) {
      return try body()
    } catch {
      failure = error
      throw ArchiveError(.visitor, error.description)
    }
  }

  private static func cut(_ name: String) -> String {
    guard name.utf8.count > UnpackEvent.maximumNameBytes else { return name }
    var result = ""
    for scalar in name.unicodeScalars {
      guard result.utf8.count + 4 <= UnpackEvent.maximumNameBytes else { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
