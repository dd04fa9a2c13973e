/// Recognizes the folders of a URL that tell a program which version of an image to make.
struct VersionFolders {
  typealias Bytes = URLShape.Bytes

  /// The number of folders, from the first one on, that only name a version; 0 if the first one does not.
  private(set) var count = 0
  private(set) var size = VersionSize()

  /// - Parameter folders: The folders of a path from one on.
  init(_ folders: ArraySlice<Bytes>) {
    guard let first = folders.first else { return }
    let next = folders.dropFirst().first
    if let fixed = Self.lengthOfProgram(folders) {
      // The options follow the name of the program.
      for folder in folders.dropFirst().prefix(fixed - 1) { size.recordOptions(in: folder) }
      count = fixed
    } else if let digest = Self.indexOfDigestInCache(folders) {
      for folder in folders[..<digest] { size.recordOptions(in: folder) }
      count = digest - folders.startIndex + 1
    } else if let next, let dimension = Self.dimension(first), let number = Self.side(next) {
      size.record(number, isHeight: dimension.hasPrefix("h"))
      count = 2
      // A height follows the width.
      if !["w", "h", "width", "height", "max"].contains(dimension),
        let third = folders.dropFirst(2).first, Self.side(third) != nil
      {
        count = 3
      }
    } else if Self.isQuality(first), let next, next.allSatisfy(ASCII.isDigit), next.count <= 3 {
      count = 2
    } else if Self.areOptions(first) {
      size.recordOptions(in: Self.decoded(first))
      count = 1
    } else if Self.isSignature(first) || Self.isRatio(first) {
      count = 1
    } else if let flags = GoogleFlags(first) {
      size = flags.size
      count = 1
    }
  }

  /// Returns the number of folders of a program and its options: `styles/NAME/public` (Drupal),
  /// `cdn-cgi/image/OPTIONS` (Cloudflare), `_ipx/OPTIONS` (Nuxt).
  private static func lengthOfProgram(_ folders: ArraySlice<Bytes>) -> Int? {
    // Almost all folders are told apart by the first byte.
    guard let first = folders.first?.first, "sc_".utf8.contains(first) else { return nil }
    let names = folders.prefix(3).map { String(decoding: $0, as: UTF8.self) }
    guard names.count >= 2 else { return nil }
    switch names[0] {
    case "styles":
      return names.count == 3 && ["public", "private", "s3"].contains(names[2]) ? 3 : 2
    case "cdn-cgi": return names.count == 3 && names[1] == "image" ? 3 : nil
    case "_ipx": return 2
    default: return nil
    }
  }

  /// Returns the index of the folder with a digest that ends the options of a cache (Magento).
  private static func indexOfDigestInCache(_ folders: ArraySlice<Bytes>) -> Int? {
    guard folders.first?.elementsEqual("cache".utf8) == true else { return nil }
    return folders.dropFirst().prefix(4).firstIndex { $0.count >= 32 && Words.isDigest($0) }
  }

  /// Returns the word of a folder that is followed by one with a number of pixels.
  private static func dimension(_ folder: Bytes) -> String? {
    guard folder.count <= 9 else { return nil }
    let name = String(decoding: folder.lazy.map(ASCII.lowercased), as: UTF8.self)
    return dimensions.contains(name) ? name : nil
  }

  private static let dimensions: Set<String> = [
    "w", "h", "width", "height", "max", "fit", "fill", "resize", "crop",
  ]

  /// Returns the number of a folder that is rather a side in pixels than the number of a thing.
  private static func side(_ folder: Bytes) -> Int? {
    guard let number = VersionSize.number(folder),
      number % 10 == 0 || VersionWords.commonWidths.contains(number)
    else { return nil }
    return number
  }

  private static func isQuality(_ folder: Bytes) -> Bool {
    folder.elementsEqual("quality".utf8) || folder.elementsEqual("q".utf8)
  }

  /// Returns a folder with commas, colons and equals signs in place of their percent-encoding.
  private static func decoded(_ folder: Bytes) -> Bytes {
    guard folder.contains(UInt8(ascii: "%")) else { return folder }
    let text = String(decoding: folder, as: UTF8.self)
      .replacing("%2C", with: ",").replacing("%2c", with: ",")
      .replacing("%3A", with: ":").replacing("%3a", with: ":").replacing("%3D", with: "=")
    return Array(text.utf8)[...]
  }

  /// Whether a folder consists of options: at least two of the forms `c_fill`, `width=300` or `w-300` between
  /// commas or the like, a single `w_300`, or a word and values with colons (`rs:fit:300:200`).
  private static func areOptions(_ folder: Bytes) -> Bool {
    guard folder.count <= 200, folder.count >= 3 else { return false }
    let folder = decoded(folder)
    let parts = folder.split {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";")
    }
    if parts.count == 1, let colon = folder.firstIndex(of: UInt8(ascii: ":")) {
      let head = String(decoding: folder[..<colon].lazy.map(ASCII.lowercased), as: UTF8.self)
      return optionHeads.contains(head)
        || folder.allSatisfy { ASCII.isDigit($0) || $0 == 0x3a || $0 | 0x20 == 0x78 }
          && folder.count >= 7
    }
    guard !parts.isEmpty, parts.allSatisfy(isOption) else { return false }
    guard parts.count == 1 else { return true }
    let head = String(decoding: folder.prefix { $0 != 0x5f && $0 != 0x3d }, as: UTF8.self)
    return ["w", "h", "c", "f", "q", "ar", "dpr", "width", "height"].contains(head)
      && folder.count <= 24
  }

  private static let optionHeads: Set<String> = [
    "rs", "resize", "s", "size", "w", "width", "h", "height", "q", "quality", "f", "format", "g",
    "gravity", "filters", "el", "dpr", "mw", "mh", "ext", "bg", "sh", "preset", "pr",
  ]

  /// Whether a text is a short name in small letters, a mark and a value.
  private static func isOption(_ part: Bytes) -> Bool {
    let name = part.prefix { (0x61...0x7a).contains($0) }
    guard (1...12).contains(name.count), name.endIndex < part.endIndex - 1 else { return false }
    let mark = part[name.endIndex]
    return mark == UInt8(ascii: "=") || mark == UInt8(ascii: "_") && name.count <= 3
  }

  /// Whether a folder is a signature in Base64 with its padding.
  private static func isSignature(_ folder: Bytes) -> Bool {
    folder.count >= 20 && folder.last == UInt8(ascii: "=")
  }

  /// Whether a folder is a ratio of sides, such as `16:9` or `4x3`.
  private static func isRatio(_ folder: Bytes) -> Bool {
    guard (3...5).contains(folder.count) else { return false }
    let parts = folder.split(omittingEmptySubsequences: false) { $0 == 0x3a || $0 | 0x20 == 0x78 }
    return parts.count == 2
      && parts.allSatisfy { (1...2).contains($0.count) && $0.allSatisfy(ASCII.isDigit) }
  }
}

/// The options of images at Google's servers, which are a folder or follow an equals sign: `s1600`,
/// `w400-h300-no`, `s72-c`; `s0` names the original.
struct GoogleFlags {
  let size: VersionSize

  init?(_ text: URLShape.Bytes) {
    guard (2...40).contains(text.count) else { return nil }
    let flags = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    var size = VersionSize()
    for (index, flag) in flags.enumerated() {
      let letters = flag.prefix { (0x61...0x7a).contains($0) }
      let digits = flag[letters.endIndex...]
      // The colour of the background, as in `c0x00ffffff`.
      if index > 0, letters.count == 1, digits.count == 10, digits.starts(with: "0x".utf8),
        digits.dropFirst(2).allSatisfy(ASCII.isHexadecimalDigit)
      {
        continue
      }
      guard (1...3).contains(letters.count), digits.count <= 5, digits.allSatisfy(ASCII.isDigit)
      else { return nil }
      let isSide =
        letters.count == 1 && "whs".utf8.contains(letters[letters.startIndex]) && !digits.isEmpty
      if index == 0 {
        // A word, and a number of a thing such as `s01`, are not options.
        guard isSide, digits.elementsEqual("0".utf8) || VersionSize.number(digits) != nil else {
          return nil
        }
      }
      if isSide, let number = VersionSize.number(digits) {
        size.record(number, isHeight: letters.first == UInt8(ascii: "h"))
      }
    }
    self.size = size
  }
}
