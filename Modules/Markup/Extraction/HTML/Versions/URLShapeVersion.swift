extension URLShape {
  /// Whether the target of a link around the image with this URL names a version of the same image by its
  /// structure: the path of one begins with the other and has an image file in it, both are of the same
  /// program and have a value in common, the target is this URL without the parameters of a version, or the
  /// file names end with the names of sizes.
  func isVersion(of target: URLShape) -> Bool {
    guard host == target.host || host.isEmpty || target.host.isEmpty else { return false }
    if segments == target.segments {
      return hasValue(of: target) || target.query.isEmpty && hasOnlyVersion
    }
    if fileExtension == target.fileExtension, isSizedVersion(of: target) { return true }
    return segments.starts(with: target.segments)
      && target.segments.contains(where: Self.isImageName)
      || hasSizedName(of: target)
  }

  /// Whether the URLs differ only in the parts of a version, and those of the target name a larger size.
  private func isSizedVersion(of target: URLShape) -> Bool {
    let (mine, theirs) = (ImageVersion(self), ImageVersion(target))
    guard let size = mine.pixels, let other = theirs.pixels, size < other else { return false }
    return mine.key == theirs.key
  }

  private func hasValue(of target: URLShape) -> Bool {
    parameters.contains { mine in
      !mine.value.isEmpty && target.parameters.contains { $0.value == mine.value }
    }
  }

  /// Whether the query has parameters, and all of them only tell the version, as `?thumbnail=1` does.
  private var hasOnlyVersion: Bool {
    let parameters = parameters
    return !parameters.isEmpty
      && parameters.allSatisfy { ImageVersion.isOfVersion(parameter: $0.name) }
  }

  /// Whether the URLs differ only at the end of their file names, where the one of the target has the name
  /// of a large size, as in `0A1B.full` and `0A1B.140x105`. Where the image has the extension of an image
  /// file, such an end after another mark than a dot may be part of the name of a page.
  private func hasSizedName(of target: URLShape) -> Bool {
    guard let mine = segments.last, let theirs = target.segments.last, target.query.isEmpty,
      segments.count == target.segments.count, folders.elementsEqual(target.folders),
      let mark = theirs.lastIndex(where: Self.isMark), mark > theirs.startIndex,
      Self.largeSizes.contains(
        String(decoding: theirs[(mark + 1)...].prefix(12).lazy.map(ASCII.lowercased), as: UTF8.self)
      ),
      !isImageFile || theirs[mark] == UInt8(ascii: ".")
    else { return false }
    let name = theirs[..<mark]
    guard mine.starts(with: name) else { return false }
    return mine.dropFirst(name.count).first.map(Self.isMark) ?? true
  }

  private static let largeSizes: Set<String> = [
    "full", "fullsize", "original", "orig", "large", "xlarge", "huge", "hires", "max",
  ]

  /// Whether a byte separates a file name from the name of a size.
  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "!"),
      UInt8(ascii: "@"):
      true
    default: false
    }
  }

  /// Whether a segment of a path ends like the name of an image file.
  static func isImageName(_ segment: Bytes) -> Bool {
    guard let dot = segment.lastIndex(of: UInt8(ascii: ".")), dot > segment.startIndex,
      (3...4).contains(segment.endIndex - dot - 1)
    else { return false }
    return photoExtensions.contains(
      String(decoding: segment[(dot + 1)...].lazy.map(ASCII.lowercased), as: UTF8.self))
  }
}
