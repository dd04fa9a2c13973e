/// Strips of JPEGs from a worker that may be compromised: joining them never traps, and the result is a JPEG with the
/// size of the image and without markers other than restart markers in its scan. The first two bytes are the width
/// and height.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
  guard bytes.count > 2, bytes[0] > 0, bytes[1] > 0 else { return 0 }
  let (width, height) = (Int(bytes[0]), Int(bytes[1]))
  let strip = Array(bytes[2...])
  var joiner = StripJoiner(width: width, height: height, stripHeight: 8)
  var image: [UInt8] = []
  do {
    while joiner.joinedHeight < height { image += try joiner.append(strip) }
    image += try joiner.finish()
  } catch {
    return 0
  }
  demand(image.starts(with: [0xff, 0xd8]), "no beginning of an image")
  demand(image.suffix(2) == [0xff, 0xd9], "no end of an image")
  demand(joiner.joinedHeight == height, "\(joiner.joinedHeight) of \(height) rows")
  checkScan(of: image)
  return 0
}

/// The entropy-coded data begins behind the first start of a scan, whose segments come before it.
private func checkScan(of image: [UInt8]) {
  var position = 2
  while position + 4 <= image.count, image[position + 1] != 0xda {
    position += 2 + Int(image[position + 2]) << 8 + Int(image[position + 3])
  }
  var restart: UInt8 = 0
  var index = position + 2 + Int(image[position + 2]) << 8 + Int(image[position + 3])
  while index < image.count - 2 {
    if image[index] == 0xff, image[index + 1] != 0 {
      demand(image[index + 1] == 0xd0 + restart, "the marker \(image[index + 1])")
      restart = (restart + 1) % 8
      index += 1
    }
    index += 1
  }
}
