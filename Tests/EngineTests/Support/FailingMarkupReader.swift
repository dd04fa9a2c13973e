import Markup
import MarkupDocuments
import MarkupGumbo
import MarkupLibxml
import SystemCalls

/// Reads markup in this process, but fails for documents whose URL is a key of `errors`.
struct FailingMarkupReader: MarkupReader {
  let errors: [String: MarkupError]

  func read(
    _ file: OwnedDescriptor, _ request: MarkupRequest,
    receive: ([MarkupItem]) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    if let error = errors[request.url ?? ""] { throw error }
    try DocumentReader(html: GumboParser(), xml: LibxmlParser()).read(
      file, request, receive: receive)
  }
}
