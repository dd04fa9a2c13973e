extension ResourceFormat {
  /// Whether all current browsers show images of the format. SVG is no such format, because it is never served as
  /// an image: it may contain scripts.
  public var isShownByBrowsers: Bool {
    switch self {
    case .jpeg, .png, .webp, .gif, .bmp, .avif, .ico: true
    default: false
    }
  }

  /// - Parameter fileExtension: An extension that `fileExtension` returns.
  public init?(fileExtension: some StringProtocol) {
    guard let format = Self.allCases.first(where: { $0.fileExtension == fileExtension })
    else { return nil }
    self = format
  }
}
