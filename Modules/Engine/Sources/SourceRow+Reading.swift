import LibraryAPI
import Manifests
import Models
import Persistence

/// The properties of a source that earlier readings have stored, and that its next reading needs.
extension SourceRow {
  /// The format and the columns with which the source was added.
  var form: SourceForm { SourceForm(text: draft.format) }

  var knownLayout: RecordedLayout? { state.layout.flatMap { RecordedLayout(text: $0) } }

  /// A source that has records had content.
  var expected: ExpectedDocument {
    ExpectedDocument(
      format: state.format.flatMap { ContentFormat(text: $0) }, hasContent: true)
  }

  /// Returns a request to read the source again.
  /// - Throws: `LibraryError` with code `source` for one that cannot be read a second time.
  func request() throws -> SourceRequest {
    if key.hasPrefix("content:") { throw LibraryError(.source, unreadable) }
    let place: SourceRequest.Location =
      key.hasPrefix("file:") ? .file(String(key.dropFirst(5))) : .url(try HTTPURL(location))
    return SourceRequest(location: place, format: form.format, columns: form.columns)
  }

  /// The reason why a list that was not read from a URL or a file of the user cannot be read again.
  private var unreadable: String {
    guard location != SourceRequest.standardInputName else {
      return "standard input cannot be read a second time"
    }
    guard form.format == .galleryDL else {
      return "\(location): the list is not kept, so that it cannot be read again; add it again"
    }
    let quoted = location.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    return "\(location): gallery-dl has made this list, and refresh does not run it; run "
      + "imgdl-cli add --via gallery-dl -- '\(quoted)' to add its present images as new records"
  }
}
