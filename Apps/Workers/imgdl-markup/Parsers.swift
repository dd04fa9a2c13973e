import MarkupDocuments
import MarkupGumbo
import MarkupLibxml
import Models

/// The parsers of the program; a new parser is added here only.
enum Parsers {
  static var reader: DocumentReader {
    DocumentReader(html: GumboParser(), xml: LibxmlParser())
  }

  static var libraries: [LibraryVersion] { [GumboParser.library, LibxmlParser.library] }

  /// Loads what the parsers need later, before the worker loses the right to open files.
  static func prepare() {
    GumboParser.prepare()
    LibxmlParser.prepare()
  }
}
