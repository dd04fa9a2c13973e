import LibraryAPI
import Manifests

/// A document that was read to its end, and in which nothing can be used.
struct NothingUsable: Error {}

/// The attempt at a URL as the base of a series, after the URL itself was no source.
enum SeriesAttempt {
  /// Returns the error to report when both have failed.
  ///
  /// `BASE/series` is usually not there, or a web page that answers for all missing ones; then the reason is that of the
  /// URL itself. A JSON document that is no list of slices is named as well, since the user may mean this one.
  /// - Parameters:
  ///   - cause: The error of the URL itself.
  ///   - series: The error of the attempt.
  static func failure(_ cause: any Error, _ series: any Error) -> any Error {
    guard let series = series as? LibraryError, series.code == .source, isOfContent(series) else {
      return cause
    }
    let cause = LibraryError.wrapping(cause)
    return LibraryError(
      cause.code, "\(cause.detail); \(series.detail)", underlying: cause.underlying)
  }

  private static func isOfContent(_ error: LibraryError) -> Bool {
    switch error.underlying {
    case is NothingUsable: true
    case let error as ManifestError: error.code == .shape || error.code == .truncated
    default: false
    }
  }
}
