import LibraryAPI

extension LibraryEvent {
  /// The estimated size of the event as JSON, in bytes; only texts can be long.
  var approximateSize: Int {
    switch kind {
    case .sourceLoading(let text, _), .sourceReading(let text, _, _), .problem(let text),
      .recordAdded(_, let text),
      .retrying(_, _, let text, _):
      128 + text.utf8.count
    case .failed(_, _, let url, let reason): 128 + url.utf8.count + reason.utf8.count
    case .hostWaits(let host, _, let reason): 128 + host.utf8.count + reason.utf8.count
    default: 128
    }
  }
}
