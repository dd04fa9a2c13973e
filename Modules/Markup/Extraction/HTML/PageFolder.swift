/// The host and the folders of a URL, with a sign in place of each digest and each number, by which images of one
/// kind are recognized.
struct PageFolder {
  private(set) var bytes: [UInt8]

  init(_ shape: URLShape) {
    bytes = Array(shape.host)
    Self.replaceNumbers(in: &bytes)
    for folder in shape.folders {
      bytes.append(UInt8(ascii: "/"))
      // Programs spread files over folders with one or two digits of a digest as names.
      if Words.isDigest(folder) || folder.count <= 2 && folder.allSatisfy(ASCII.isHexadecimalDigit)
      {
        bytes.append(UInt8(ascii: "#"))
      } else {
        var name = Array(folder)
        Self.replaceNumbers(in: &name)
        bytes += name
      }
    }
  }

  private static func replaceNumbers(in bytes: inout [UInt8]) {
    guard bytes.contains(where: ASCII.isDigit) else { return }
    var result: [UInt8] = []
    for byte in bytes {
      if !ASCII.isDigit(byte) {
        result.append(byte)
      } else if result.last != UInt8(ascii: "#") {
        result.append(UInt8(ascii: "#"))
      }
    }
    bytes = result
  }
}
