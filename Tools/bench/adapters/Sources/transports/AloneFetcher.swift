import Foundation
import FoundationNetworking

/// URLSession in this process.
struct AloneFetcher: Fetcher {
  private let session: URLSession
  private let request: URLRequest

  init(_ url: String) throws {
    guard let url = URL(string: url) else { throw URLError(.badURL) }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = 256
    session = URLSession(configuration: configuration)
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    self.request = request
  }

  func fetch() async throws {
    let status: Int = try await withCheckedThrowingContinuation { continuation in
      let task = session.dataTask(with: request) { _, response, error in
        if let error { return continuation.resume(throwing: error) }
        continuation.resume(returning: (response as? HTTPURLResponse)?.statusCode ?? 0)
      }
      task.resume()
    }
    guard status == 200 else { throw WrongAnswer(status: status) }
  }

  func end() async {}
}
