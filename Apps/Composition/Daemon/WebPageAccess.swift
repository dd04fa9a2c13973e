import Control
public import LibraryAPI

extension LibraryOpener {
  /// Disables the web page of a library that no imgdld serves, and ends every session.
  /// - Returns: Whether the page was enabled.
  public static func disableWebPage(at path: String) throws(LibraryError) -> Bool {
    do throws(ControlError) {
      return try WebPageFile.disable(libraryRoot: path)
    } catch {
      throw LibraryError(.io, error.detail)
    }
  }
}

/// The web page of a library whose engine runs in an imgdld.
extension LibraryConnection {
  /// The address of the page, and the one that logs a browser in.
  public struct WebLink: Sendable, Equatable {
    /// The address of the page, without a token.
    public let url: String
    /// The address that logs a browser in: once, within 60 seconds.
    public let login: String
  }

  /// Enables the web page, now and after each restart of imgdld.
  /// - Parameter port: The port; nil means the one that the page had before, or the default port.
  /// - Throws: `locked` if the engine does not run in an imgdld or the port is taken, `io` if the page's file
  ///   cannot be written.
  public func openWebPage(port: UInt16?) async throws(LibraryError) -> WebLink {
    let (url, login) = try await daemon().openWebPage(port: port)
    return WebLink(url: url, login: login)
  }

  /// Disables the web page, and ends every session.
  public func closeWebPage() async throws(LibraryError) { try await daemon().closeWebPage() }

  /// Returns the address of the web page; nil while it is not served.
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
