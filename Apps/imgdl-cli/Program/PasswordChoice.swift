import Export
import Models
import Rendering

/// The password of a command, given by an option or typed. The user is prompted at most once, at the first
/// encrypted file.
struct PasswordChoice: Sendable {
  private(set) var password: DocumentPassword?
  private var wasAsked = false

  /// - Parameter given: The password from the option, or nil without the option.
  init(_ given: DocumentPassword?) { password = given }

  /// Whether the user can still be prompted for a password.
  var canAsk: Bool { password == nil && !wasAsked && PasswordOption.canAsk }

  /// Returns the password. Prompts the user if no password is known and the user was not prompted before.
  /// - Parameter title: The title of the record, which the prompt shows.
  mutating func password(for title: String) async throws -> DocumentPassword? {
    if canAsk {
      wasAsked = true
      password = try await PasswordOption.prompt(title)
    }
    return password
  }

  /// Prompts for a password if a page of the record must be rendered from an encrypted document. Each
  /// document is probed, because a resource that was unlocked in an earlier run is in the state `finished`.
  mutating func prompt(
    for record: Record, _ images: RecordImages, _ renderer: any Renderer
  ) async throws {
    guard canAsk else { return }
    var (isEncrypted, probed) = (false, "")
    try await images.forEach(in: record) { image in
      guard image.isDrawnOfDocument, image.path != probed, !isEncrypted else { return }
      probed = image.path
      do throws(RenderError) {
        _ = try await renderer.probe(image.path)
      } catch {
        isEncrypted = error.code == .encrypted
      }
    } problem: { _ in
    }
    if isEncrypted { _ = try await password(for: record.title) }
  }
}

extension RecordImage {
  /// Whether the image is a page that is still to be rendered from its document, for which an encrypted
  /// document needs its password.
  fileprivate var isDrawnOfDocument: Bool { documentPage != nil && format.kind == .document }
}
