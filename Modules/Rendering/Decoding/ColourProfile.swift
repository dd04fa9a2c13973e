/// Detects whether an embedded ICC profile is sRGB, so that pixels need no conversion.
public enum ColourProfile {
  /// - Parameter profile: An ICC profile (ICC.1:2010, section 7). A malformed profile counts as sRGB, as in
  ///   browsers.
  /// - Returns: Whether the profile describes sRGB. Pixels with any other profile need a colour management
  ///   library.
  public static func isSRGB(_ profile: ByteView) -> Bool {
    guard profile.count >= 132, profile.starts(with: "acsp", at: 36) else { return true }
    guard let text = description(profile) else { return false }
    let isNamedSRGB =
      if profile.starts(with: "GRAY", at: 16) {
        text.contains("sgray") || text.contains("srgb") || text.contains("gamma 2.2")
      } else {
        // "c2" is the description of a compact sRGB profile (524 bytes) that large sites embed in thumbnails.
        profile.starts(with: "RGB ", at: 16) && (text.contains("srgb") || text == "c2")
      }
    return isNamedSRGB && !contradictsSRGB(profile)
  }

  /// Whether the profile is for data with so many components (ICC.1:2010, table 19), without alpha. Programs embed grey
  /// profiles in images with colours, which are meaningless there.
  public static func fits(_ profile: ByteView, components: Int) -> Bool {
    guard profile.count >= 132 else { return false }
    if profile.starts(with: "GRAY", at: 16) { return components == 1 }
    if profile.starts(with: "CMYK", at: 16) { return components == 4 }
    // Spaces of other numbers of components are named "2CLR" to "FCLR".
    if profile.starts(with: "CLR", at: 17), let digit = profile.byte(16) {
      return components == Int(String(UnicodeScalar(digit)), radix: 16)
    }
    return components == 3
  }

  /// Whether the profile converts colours by a table for the perceptual intent alone, as that of a JPEG in XYB does. For
  /// another intent libvips ignores such a profile, and the colours of the file are shown as if they were sRGB.
  public static func isOnlyPerceptual(_ profile: ByteView) -> Bool {
    func has(_ name: StaticString) -> Bool { tag(name, of: profile) != nil }
    return has("A2B0") && !has("A2B1") && !has("rTRC") && !has("kTRC")
  }

  /// The maximum number of tags that are examined.
  private static let maximumTags = 100

  /// Returns the profile's description (tag `desc`), reduced to ASCII in lower case; nil if there is none.
  private static func description(_ profile: ByteView) -> String? {
    tag("desc", of: profile).map { text($0.slice(0, 512)) }
  }

  /// Returns the data of a tag; nil if the profile does not have it.
  static func tag(_ name: StaticString, of profile: ByteView) -> ByteView? {
    let count = min(profile.number(at: 128, size: 4) ?? 0, maximumTags)
    let entry = (0..<count).lazy.map { 132 + 12 * $0 }
      .first { profile.starts(with: name, at: $0) }
    guard let entry, let offset = profile.number(at: entry + 4, size: 4),
      let size = profile.number(at: entry + 8, size: 4)
    else { return nil }
    return profile.slice(offset, size)
  }

  /// Returns the printable ASCII characters of a description tag in lower case. The type `desc` stores ASCII
  /// after twelve bytes; `mluc` stores UTF-16 at an offset, whose NUL bytes are dropped.
  private static func text(_ tag: ByteView) -> String {
    let body: ByteView
    if tag.starts(with: "mluc"), let size = tag.number(at: 20, size: 4),
      let offset = tag.number(at: 24, size: 4)
    {
      body = tag.slice(offset, size)
    } else if tag.starts(with: "desc"), let size = tag.number(at: 8, size: 4) {
      body = tag.slice(12, size)
    } else {
      body = tag.slice(8, 0)
    }
    let ascii = body.array.filter { (0x20..<0x7f).contains($0) }
    return String(decoding: ascii, as: UTF8.self).lowercased()
  }
}
