import Control
public import LibraryAPI

extension LibraryOpener {
  /// Disables the web page of a library that no imgdld serves at the moment, and ends every session.
  /// - Returns: Whether the page was enabled.
  public static func disableWebPage(at path: String) throws(LibraryError) -> Bool {
    do throws(ControlError) {
      return try WebPageFile.disable(libraryRoot: path)
    } catch {
      throw LibraryError(.io, error.detail)
    }
  }
}

/// The web page of a library whose engine runs in an imgdld process.
extension LibraryConnection {
  /// The address of the web page, and the address that logs a browser in.
  public struct WebLink: Sendable, Equatable {
    /// The address of the page, without a token.
    public let url: String
    /// The address that logs a browser in; it is valid once, for 60 seconds.
    public let login: String
  }

  /// Enables the web page, now and after each restart of imgdld.
  /// - Parameter port: The TCP port; nil keeps the port that the page had before, or means the default port.
  /// - Throws: `locked` if the engine does not run in an imgdld or the port is taken, `io` if the file with
  ///   the web credentials cannot be written.
  public func openWebPage(port: UInt16?) async throws(LibraryError) -> WebLink {
    let (url, login) = try await daemon().openWebPage(port: port)
    return WebLink(url: url, login: login)
  }

  /// Disables the web page, and ends every session.
  public func closeWebPage() async throws(LibraryError) { try await daemon().closeWebPage() }

  /// Returns the address of the web page, or nil while the page is not served.
  public func webPage() async throws(LibraryError) -> String? { try await daemon().webPage() }

  /// Issues a Bearer token for scripts, valid for a year or until the page is disabled.
  public func webToken() async throws(LibraryError) -> String { try await daemon().webToken() }

  private func daemon() throws(LibraryError) -> ControlClient {
    guard let client, isDaemon else {
      throw LibraryError(.locked, "only imgdld serves the web page")
    }
    return client
  }
}
