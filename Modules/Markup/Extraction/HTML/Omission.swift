/// Whether an image is left out of the result.
enum Omission: Int, Comparable {
  case none
  /// The place of the image suggests that it is not a part of the contents. Such an image is used if a page has
  /// no others.
  case byPlace
  /// The image is a decoration, such as an icon, a logo, an avatar, an advertisement or a tracking pixel.
  case always

  static func < (a: Omission, b: Omission) -> Bool { a.rawValue < b.rawValue }
}
