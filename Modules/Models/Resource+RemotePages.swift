extension Resource {
  /// Whether the resource is a zip archive on a server, of which no file is stored, so that its pages may be read
  /// from the server (`LibraryService.remotePages`). Names decide: that of the URL's last component, or the
  /// title.
  public var hasRemotePages: Bool {
    guard file == nil, state == .queued || state == .failed,
      case .http(let url) = ResourceLocation(self.url)
    else { return false }
    return Self.isZipName(url.lastPathComponent) || title.map(Self.isZipName) ?? false
  }

  private static func isZipName(_ name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix(".zip") || name.hasSuffix(".cbz")
  }
}
