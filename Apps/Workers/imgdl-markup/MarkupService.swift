import Markup
import MarkupDocuments
import MarkupMessages
import WorkerProcess

/// Reads documents, one at a time, and reports the items of each over the connection.
struct MarkupService {
  private let connection: WorkerConnection

  init(_ connection: WorkerConnection) { self.connection = connection }

  /// Reads the document of a request.
  /// - Throws: An error for a message that is not a request, or if the other program has closed the socket.
  func respond(to frame: Frame) throws(WorkerError) {
    let request = try ReadRequest(frame).request
    guard let file = frame.descriptors.first else {
      throw WorkerError(.malformed, "the request has no file descriptor")
    }
    var failure: WorkerError?
    do throws(MarkupError) {
      try Parsers.reader.read(file, request) { (items) throws(MarkupError) in
        do throws(WorkerError) {
          for batch in batches(items) {
            try connection.send(ReadReport.items(Array(batch)).frame)
          }
        } catch {
          failure = error
          throw MarkupError(.visitor, error.description)
        }
      }
    } catch {
      if let failure { throw failure }
      return try connection.send(ReadReport.fail(error.code, error.description).frame)
    }
    try connection.send(ReadReport.end.frame)
  }

  /// Divides the items so that each batch fits into one message.
  private func batches(_ items: [MarkupItem]) -> [ArraySlice<MarkupItem>] {
    var batches: [ArraySlice<MarkupItem>] = []
    var start = 0
    var size = 0
    for (index, item) in items.enumerated() {
      size += item.size
      guard size >= ReadReport.batchBytes else { continue }
      batches.append(items[start...index])
      (start, size) = (index + 1, 0)
    }
    if start < items.count { batches.append(items[start...]) }
    return batches
  }
}

extension MarkupItem {
  /// The approximate size of the item in a message, in bytes.
  fileprivate var size: Int {
    switch self {
    case .rule: 16
    case .base(let text), .title(let text), .referrerPolicy(let text), .document(let text, _),
      .nextPage(let text), .problem(let text), .truncation(let text), .remark(let text, _):
      text.utf8.count + 16
    case .entry(let entry):
      entry.mirrors.reduce(entry.url.utf8.count + 64) { $0 + $1.utf8.count + 4 }
        + [entry.title, entry.name, entry.checksum].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
  }
}
