/// The parts of a URL that tell how large a version of an image is, compared with other versions.
struct VersionMeasure {
  private let percentage: Double?
  private let pixels: Int?
  private let isReduced: Bool
  private let hasUnknownOptions: Bool
  /// The order of the sizes that words of the URL name; nil if none does.
  private let rank: Int?
  private let pair: SizePair?
  private let folders: ArraySlice<URLShape.Bytes>
  private let stem: URLShape.Bytes

  init(_ shape: URLShape, _ version: ImageVersion) {
    percentage = version.percentage
    pixels = version.pixels
    isReduced = version.isReduced
    hasUnknownOptions = version.hasUnknownOptions
    let words = shape.folders.flatMap { Words.split($0) } + Words.split(shape.stem)
    let ranks = words.lazy.compactMap { VersionWords.ranks[$0] }
    rank = ([version.rank].compactMap { $0 } + ranks).max()
    pair = SizePair(shape.folders)
    folders = shape.folders
    stem = shape.stem
  }

  func hasLargerPair(than other: VersionMeasure) -> Bool {
    guard let pair, let others = other.pair, !others.isOriginal else { return false }
    return pair.isOriginal || pair.width > others.width && pair.height > others.height
  }

  func isLarger(than other: VersionMeasure) -> Bool {
    if let percentage, let others = other.percentage { return percentage > others }
    if let pixels, let others = other.pixels, pixels != others { return pixels > others }
    if isReduced != other.isReduced { return other.isReduced }
    if let rank, let others = other.rank, rank != others { return rank > others }
    if let letter = letterDifference(from: other) { return letter }
    if stem != other.stem, Self.width(stem) != nil, Self.width(other.stem) != nil {
      return hasLargerName(than: other)
    }
    if let number = folderDifference(from: other) { return number }
    // A folder such as `original` takes the place of one that only a program understands.
    if let rank, rank > 4, other.rank == nil, other.pixels == nil, stem == other.stem {
      return true
    }
    // A URL without a size usually names the original, in contrast to one with a size in it.
    return pixels == nil && !hasUnknownOptions && other.pixels != nil
  }

  /// Whether the file is named as the original and the other one is not, or both names are numbers of pixels, of
  /// which this one is larger.
  func hasLargerName(than other: VersionMeasure) -> Bool {
    if let mine = Self.width(stem), let theirs = Self.width(other.stem) { return mine > theirs }
    return (rank ?? 0) > 5 && (other.rank ?? 0) < 6
  }

  private static func width(_ stem: URLShape.Bytes) -> Int? {
    VersionSize.number(stem).flatMap { VersionWords.commonWidths.contains($0) ? $0 : nil }
  }

  /// Whether the letter of a size at the end of the name is that of a larger one; nil if the names have no
  /// such letters.
  private func letterDifference(from other: VersionMeasure) -> Bool? {
    guard stem != other.stem else { return nil }
    let common = zip(stem, other.stem).prefix { $0 == $1 }.count
    let mine = String(decoding: stem.dropFirst(common), as: UTF8.self)
    let theirs = String(decoding: other.stem.dropFirst(common), as: UTF8.self)
    guard mine.utf8.count <= 3, theirs.utf8.count <= 3 else { return nil }
    func rank(_ letters: String) -> Int? {
      let letters = letters.drop { $0 == "_" || $0 == "-" }
      // A name without a letter is that of the original.
      return letters.isEmpty ? 10 : VersionWords.letterRanks[String(letters)]
    }
    guard let mine = rank(mine), let theirs = rank(theirs) else { return nil }
    return mine > theirs
  }

  /// Whether the first different folder has a larger number of pixels, or a letter of a larger size; nil
  /// unless both folders have such.
  private func folderDifference(from other: VersionMeasure) -> Bool? {
    guard folders.count == other.folders.count,
      let (mine, theirs) = zip(folders, other.folders).first(where: { $0 != $1 })
    else { return nil }
    if let mine = VersionSize.number(mine), let theirs = VersionSize.number(theirs) {
      // Numbers that may be years, and small ones, are not sizes.
      guard min(mine, theirs) >= 48, !(1_990...2_035).contains(mine) || mine % 10 == 0,
        !(1_990...2_035).contains(theirs) || theirs % 10 == 0, mine % 10 == 0 || theirs % 10 == 0
      else { return nil }
      return mine > theirs
    }
    guard let mine = VersionWords.letterRanks[String(decoding: mine, as: UTF8.self)],
      let theirs = VersionWords.letterRanks[String(decoding: theirs, as: UTF8.self)]
    else { return nil }
    return mine > theirs
  }

  /// Two neighbouring folders with the width and the height, both −1 or 0 for the original.
  struct SizePair {
    let index: Int
    let width: Int
    let height: Int

    var isOriginal: Bool { width <= 0 }

    init?(_ folders: ArraySlice<URLShape.Bytes>) {
      var last: Int?
      for index in folders.indices {
        let number = Self.number(folders[index])
        if let last, let number, (last <= 0) == (number <= 0) {
          (self.index, width, height) = (index - 1, last, number)
          return
        }
        last = number
      }
      return nil
    }

    /// Returns the number of a folder that may be a side in pixels, −1 or 0. Days and months are smaller.
    private static func number(_ folder: URLShape.Bytes) -> Int? {
      guard folder.count <= 5, let number = Int(String(decoding: folder, as: UTF8.self)),
        (-1...0).contains(number) || (48...20_000).contains(number)
      else { return nil }
      return number
    }
  }
}
