import Archive
import LibraryAPI
import Models

extension MirrorSelection.Failure {
  /// Converts an error of reading a remote archive at a URL.
  /// - Returns: nil for an error that any other URL of the archive would have as well.
  init?(_ error: LibraryError, at url: HTTPURL) {
    switch (error.code, error.underlying) {
    case (_, let failure as DownloadFailure):
      switch failure {
      case .cancelled, .disk, .tooLarge: return nil
      case .status, .protocolViolation, .transport, .content, .everyMirror:
        self.init(
          failure.isUnreachable ? .final : Kind(failure), cause: failure.reason,
          retryAfter: failure.retryAfter)
      }
    // An archive without a usable directory; the errors of its entries name the entries.
    case (.source, let failure as ArchiveError) where failure.entryName == nil:
      self.init(.final, cause: failure.detail)
    case (.network, _), (.noRanges, _):
      let prefix = "\(url): "
      let detail = error.detail
      self.init(
        .final,
        cause: detail.hasPrefix(prefix) ? String(detail.dropFirst(prefix.count)) : detail)
    default: return nil
    }
  }
}
