import LibraryAPI
import Models

/// Asks the robots.txt of a site before a document that another document names is requested, and before a
/// redirect of it is followed.
struct DocumentAdmission: Sendable {
  let robots: RobotsPolicy
  /// The party that named the document.
  let origin: RequestOrigin
  /// The origin of the URL that the user has given for the source; nil for a file.
  let sourceOrigin: HTTPURL.Origin?
  /// Called before a wait with the site that wants it, the remaining time in seconds and the reason.
  var whenWaiting: SourceFetcher.WaitReport = { _, _, _ in }

  /// Returns after the time that the site wants between two requests.
  /// - Parameter document: The document that redirects to the URL; nil if the URL is that of the document.
  /// - Throws: `DocumentRefusal` if the robots.txt forbids the URL; `CancellationError`.
  func admit(_ url: HTTPURL, redirectedFrom document: HTTPURL? = nil) async throws {
    let site = url.origin.description
    let verdict = try await robots.admit(
      url, namedBy: origin, credentials(for: url, redirectedFrom: document)
    ) { [whenWaiting] seconds in
      whenWaiting(
        site, seconds, "its robots.txt wants a time between requests (network.obeyRobots)")
    }
    guard case .disallowed(let reason) = verdict else { return }
    throw DocumentRefusal(
      site: url.origin,
      reason: document.map { "\($0) redirects to \(url), but \(reason)" } ?? reason)
  }

  /// A document names sites of which the user may know nothing, and their robots.txt is nothing that the user asks for.
  private func credentials(
    for url: HTTPURL, redirectedFrom document: HTTPURL?
  ) -> RobotsFetcher.Credentials {
    if let document, document.origin != url.origin { return .redirected }
    return url.origin == sourceOrigin ? .all : .host
  }
}

/// The error that the robots.txt of a site forbids a document.
struct DocumentRefusal: Error {
  let site: HTTPURL.Origin
  /// A sentence for users that names the document.
  let reason: String
}

/// The documents of a source that were refused. The first ones of each site are reported one by one, the others
/// by their number, so that a site of thousands of documents does not hide other problems.
struct RefusedDocuments: Sendable {
  /// The number of documents of each site that are reported one by one.
  static let reportedCount = 3

  private var counts: [HTTPURL.Origin: Int] = [:]
  /// The sites in the order of their first refusals.
  private var sites: [HTTPURL.Origin] = []

  /// Counts a refusal.
  /// - Returns: The sentence to report now; nil if the document is only counted.
  mutating func add(_ refusal: DocumentRefusal) -> String? {
    let count = counts[refusal.site, default: 0] + 1
    if count == 1 { sites.append(refusal.site) }
    counts[refusal.site] = count
    return count > Self.reportedCount ? nil : refusal.reason
  }

  /// The sentences about the documents that were only counted.
  var summaries: [String] {
    sites.compactMap { site in
      let more = counts[site, default: 0] - Self.reportedCount
      guard more > 0 else { return nil }
      return "\(more) more document\(more == 1 ? "" : "s") of \(site) \(more == 1 ? "is" : "are") "
        + "left out because of its robots.txt"
    }
  }
}
