import Decoding

/// The images of a PDF that poppler draws otherwise than their files mean them, found in the text of the file: the dictionary
/// of a stream is never in a compressed stream (ISO 32000-1, 7.5.7).
struct PDFImages {
  private let syntax: PDFSyntax

  private static let maximumImages = 20_000
  /// The maximum number of bytes between the beginning of a dictionary and the entry by which it is found.
  private static let maximumDictionaryBytes = 4_096
  /// The maximum number of bytes from that entry to the end of the dictionary.
  private static let maximumFurtherBytes = 16_384
  private static let maximumMarkers = 1_000

  init(_ file: ByteView) { syntax = PDFSyntax(file) }

  /// A remark about the first such image, as a clause for users; nil if there is none.
  var remark: String? {
    var ends = StreamEnds(syntax.file)
    var last: Int?
    for place in PDFText(syntax.file).places(of: "/Image").prefix(Self.maximumImages) {
      // The name of an image may begin with the same word as its type.
      guard let image = dictionary(around: place), image.end != last,
        syntax.isName("Image", image["Subtype"])
      else { continue }
      last = image.end
      if let remark = remark(image, &ends) { return remark }
    }
    return nil
  }

  private func remark(_ image: PDFSyntax.Dictionary, _ ends: inout StreamEnds) -> String? {
    if image["Matte"] != nil {
      return
        "the edges of an image may be too dark or too bright: its colours are mixed with a matte"
    }
    if syntax.isName("JPXDecode", image["Filter"]),
      let mask = image["SMaskInData"].flatMap({ syntax.integer(at: $0.lowerBound) }), mask.value > 0
    {
      return "an image in JPEG 2000 may have wrong colours: its transparency is within it"
    }
    guard syntax.isName("DCTDecode", image["Filter"]), let frame = frame(at: image.end) else {
      return nil
    }
    let (width, height) = (number(image["Width"]), number(image["Height"]))
    if let width, let height, (width, height) != (frame.width, frame.height) {
      return "an image is distorted: the file states \(width) × \(height) pixels, but it has"
        + " \(frame.width) × \(frame.height)"
    }
    let stated = image["ColorSpace"]
    let components: Int? =
      syntax.isName("DeviceGray", stated) ? 1 : syntax.isName("DeviceRGB", stated) ? 3 : nil
    if let components, components != frame.components {
      return
        "an image is distorted: the file states \(components) component\(components == 1 ? "" : "s"), but it has"
        + " \(frame.components)"
    }
    // poppler then draws neither the last rows nor anything of a progressive JPEG.
    guard ends.budget > 0, let data = data(of: image, &ends) else { return nil }
    ends.budget -= data.count
    return TruncationCheck.isWholeJPEG(data)
      ? nil : "the end of an image is missing: its JPEG data ends too early"
  }

  /// Returns the dictionary of an object that contains an offset.
  private func dictionary(around place: Int) -> PDFSyntax.Dictionary? {
    let part = PDFSyntax(syntax.file.slice(0, place + Self.maximumFurtherBytes))
    var start = place
    while start > 0, start > place - Self.maximumDictionaryBytes {
      start -= 1
      guard syntax.file.starts(with: "obj", at: start) else { continue }
      return part.dictionary(at: start + 3).flatMap { $0.end >= place ? $0 : nil }
    }
    return nil
  }

  /// Returns a number that is stated directly.
  private func number(_ value: Range<Int>?) -> Int? {
    guard let value, syntax.reference(at: value.lowerBound) == nil else { return nil }
    return syntax.integer(at: value.lowerBound)?.value
  }

  /// Returns the offset of the data of the stream behind a dictionary.
  private func startOfData(at end: Int) -> Int? {
    let file = syntax.file
    var offset = syntax.endOfSpace(from: end)
    guard file.starts(with: "stream", at: offset) else { return nil }
    offset += 6
    while let byte = file.byte(offset), byte == 13 || byte == 10 { offset += 1 }
    return offset
  }

  /// Returns the data of an image, which extends to the end of the file if nothing ends it before.
  private func data(of image: PDFSyntax.Dictionary, _ ends: inout StreamEnds) -> ByteView? {
    let file = syntax.file
    guard let start = startOfData(at: image.end) else { return nil }
    // The stated length is wrong in some files.
    if let length = number(image["Length"]),
      file.starts(with: StreamEnds.word, at: syntax.endOfSpace(from: start + length))
    {
      return file.slice(start, length)
    }
    return file.slice(start, ends.next(from: start) - start)
  }

  /// Returns what the frame header of a JPEG says, which is the data of the stream behind a dictionary (ITU-T T.81, B.2.2).
  private func frame(at end: Int) -> (width: Int, height: Int, components: Int)? {
    let file = syntax.file
    guard var offset = startOfData(at: end), file.number(at: offset, size: 2) == 0xffd8 else {
      return nil
    }
    offset += 2
    for _ in 0..<Self.maximumMarkers {
      while file.byte(offset) == 0xff, file.byte(offset + 1) == 0xff { offset += 1 }
      guard file.byte(offset) == 0xff, let marker = file.byte(offset + 1),
        let length = file.number(at: offset + 2, size: 2), length >= 2
      else { return nil }
      if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
        guard let height = file.number(at: offset + 5, size: 2), height > 0,
          let width = file.number(at: offset + 7, size: 2), let components = file.byte(offset + 9)
        else { return nil }
        return (width, height, Int(components))
      }
      guard marker != 0xda else { return nil }
      offset += 2 + length
    }
    return nil
  }
}

extension PDFImages {
  /// The ends of streams that state no usable length. Any number of images may have their data before the same end, so
  /// that a search counts for all starts in its range, and the bytes that are examined are limited.
  private struct StreamEnds {
    static let word: StaticString = "endstream"

    /// The number of bytes that may still be examined: each byte of a sound file is examined twice at most.
    var budget: Int

    private let file: ByteView
    /// The start of the last search, and the end that it found.
    private var last: Range<Int>?

    init(_ file: ByteView) {
      self.file = file
      budget = 2 * file.count
    }

    /// Returns the offset of the first end from an offset on, or the end of the file if there is none.
    mutating func next(from start: Int) -> Int {
      if let last, last.contains(start) { return last.upperBound }
      let end = search(from: start)
      budget -= end - start
      last = start..<end
      return end
    }

    private func search(from start: Int) -> Int {
      var offset = start
      while let place = file.firstIndex(of: Self.word.utf8Start.pointee, from: offset) {
        if file.starts(with: Self.word, at: place) { return place }
        offset = place + 1
      }
      return max(start, file.count)
    }
  }
}
