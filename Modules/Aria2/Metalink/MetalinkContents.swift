/// The files of the Metalink documents of a message, as the performer has read them.
public struct MetalinkContents: Sendable {
  /// The results by the parameters of the calls.
  private var results: [String: Result<[MetalinkFile], RPCError>] = [:]

  public init() {}

  /// Records the files of a document.
  /// - Parameter problems: The reasons why other files of the document cannot be used.
  public mutating func add(
    _ files: [MetalinkFile], problems: [String], of document: MetalinkDocument
  ) {
    guard files.isEmpty else { return results[document.parameter] = .success(files) }
    let reason = problems.first.map { ": \($0)" } ?? "."
    add(failure: "No files to download\(reason)", of: document)
  }

  /// Records that a document cannot be read.
  /// - Parameter failure: A sentence for the client that names the cause.
  public mutating func add(failure: String, of document: MetalinkDocument) {
    results[document.parameter] = .failure(RPCError(failure))
  }

  /// Returns the files of the document that a call passes.
  func files(of parameter: String) throws(RPCError) -> [MetalinkFile] {
    if let result = results[parameter] { return try result.get() }
    guard MetalinkDocument(parameter) != nil else {
      throw RPCError("The parameter at 0 is not base64.")
    }
    throw RPCError("A message has at most \(MetalinkDocument.limit) Metalink documents.")
  }
}
