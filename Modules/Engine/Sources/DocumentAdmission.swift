import LibraryAPI
import Models

/// Asks the robots.txt of a site before a document that another document names is requested, and before a
/// redirect of it to another origin is followed.
struct DocumentAdmission: Sendable {
  let robots: RobotsPolicy
  /// The party that named the document.
  let origin: RequestOrigin

  /// Returns after the time that the site wants between two requests.
  /// - Throws: `LibraryError` with the code `policy` if the robots.txt forbids the URL; `CancellationError`.
  func admit(_ url: HTTPURL) async throws {
    let verdict = try await robots.admit(url, namedBy: origin)
    if case .disallowed(let reason) = verdict { throw LibraryError(.policy, reason) }
  }
}
