/// The parameters in the query of a URL that describe the version of an image, and the other parameters.
struct VersionQuery {
  private(set) var size = VersionSize()
  /// The parameters that may name the image.
  private(set) var kept: [String] = []
  /// Whether a parameter may name a size in an unknown way.
  private(set) var hasUnknownOptions = false
  /// The values that name a size or a version.
  private(set) var words: [URLShape.Bytes] = []

  /// - Parameters:
  ///   - namesImage: Whether the path names one image, so that the query only tells its version.
  ///   - omitted: The parameter with the reference to another image.
  init(_ shape: URLShape, namesImage: Bool, except omitted: String? = nil) {
    let isFile = shape.isImageFile
    for (name, value) in shape.parameters where name != omitted {
      if value.isEmpty, isFile || namesImage {
        // A parameter without a value tells the server who asks, or has options as in `imageView2/2/w/800`.
        if name.contains("/") { size.recordOptions(in: Array(name.utf8)[...]) }
      } else if let pair = Self.pair(value),
        !VersionWords.versionParameters.contains(name) || name == "s" && isFile
      {
        if let width = pair.width { size.record(width) }
        if let height = pair.height { size.record(height, isHeight: true) }
      } else if VersionWords.sizeParameters.contains(name) {
        size.recordOptions(in: value)
        words.append(value)
        if let number = Int(String(decoding: value, as: UTF8.self)) {
          size.record(number, isHeight: VersionWords.heightParameters.contains(name))
        }
      } else if Self.isProcess(name) {
        size.recordOptions(in: value)
      } else if VersionWords.reduced.contains(name), isFile || namesImage {
        size.recordOptions(in: value)
      } else if VersionWords.versionParameters.contains(name) {
        if isFile || namesImage || name == "q" {
          if name == "name" || name == "stp" {
            size.recordOptions(in: value)
            words.append(value)
          }
        } else {
          kept.append(name + "=" + String(decoding: value, as: UTF8.self))
        }
      } else if isFile, shape.stem.count >= 6, !VersionWords.identityParameters.contains(name) {
        size.recordOptions(in: value)
        hasUnknownOptions = true
      } else {
        kept.append(name + "=" + String(decoding: value, as: UTF8.self))
      }
    }
    applyDensity(of: shape)
  }

  /// Whether the value of a parameter has the options of a program that changes images.
  private static func isProcess(_ name: String) -> Bool {
    name.hasPrefix("x-") && name.hasSuffix("process") || name == "tr" || name == "im"
      || name == "imwidth" || name == "transform" || name == "operations"
  }

  /// Returns the sides of a size such as `600:*`, `*:400` or `300x200`; nil for another value.
  private static func pair(_ value: URLShape.Bytes) -> (width: Int?, height: Int?)? {
    guard (4...11).contains(value.count),
      let mark = value.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 | 0x20 == 0x78 })
    else { return nil }
    let (width, height) = (value[..<mark], value[(mark + 1)...])
    let isAny = (width.elementsEqual("*".utf8), height.elementsEqual("*".utf8))
    let sides = (VersionSize.number(width), VersionSize.number(height))
    guard sides.0 != nil || isAny.0, sides.1 != nil || isAny.1, sides.0 != nil || sides.1 != nil
    else { return nil }
    return sides
  }

  /// Multiplies the size by the number of pixels of the screen for each of the page (`dpr=2`).
  private mutating func applyDensity(of shape: URLShape) {
    guard size.pixels != nil,
      let value = shape.parameters.first(where: { $0.name == "dpr" })?.value,
      let density = Double(String(decoding: value.prefix(8), as: UTF8.self)),
      density > 1, density <= 8
    else { return }
    size.multiply(by: density)
  }
}
