/// The host and the folders of a URL, with a sign in place of each digest and each digit, by which images of one
/// kind are recognized.
struct PageFolder {
  private(set) var bytes: [UInt8]

  init(_ shape: URLShape) {
    bytes = shape.host.map { ASCII.isDigit($0) ? UInt8(ascii: "#") : $0 }
    for folder in shape.folders {
      bytes.append(UInt8(ascii: "/"))
      // Programs spread files over folders with one or two digits of a digest as names.
      if Words.isDigest(folder) || folder.count <= 2 && folder.allSatisfy(ASCII.isHexadecimalDigit)
      {
        bytes.append(UInt8(ascii: "#"))
      } else {
        bytes += folder.lazy.map { ASCII.isDigit($0) ? UInt8(ascii: "#") : $0 }
      }
    }
  }
}
