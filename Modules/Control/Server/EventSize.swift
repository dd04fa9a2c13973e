import LibraryAPI

extension LibraryEvent {
  /// About how many bytes it is as JSON: what is long in it is text.
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
