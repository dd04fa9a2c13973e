public import LibraryAPI

extension ControlClient {
  /// Enables the web page.
  /// - Parameter port: The TCP port of the page; nil keeps the port that the page had before.
  public func openWebPage(
    port: UInt16?
  ) async throws(LibraryError) -> (url: String, login: String) {
    let link: WebLinkMessage = try await connector.call(
      "POST", "/v1/web", WebPortMessage(port: port))
    return (link.url, link.login)
  }

  public func closeWebPage() async throws(LibraryError) {
    try await connector.callIgnoringBody("DELETE", "/v1/web")
  }

  public func webPage() async throws(LibraryError) -> String? {
    let state: WebStateMessage = try await connector.call("GET", "/v1/web")
    return state.url
  }

  public func webToken() async throws(LibraryError) -> String {
    let answer: TokenMessage = try await connector.call("POST", "/v1/web/tokens")
    return answer.token
  }
}
