import CIconv
import Glibc
import Models

/// Encodes the queries of URLs in a web page as browsers do: in the encoding of the page, with numeric character
/// references for what it lacks (WHATWG URL Standard, "percent-encode after encoding"). Paths are always in UTF-8.
public struct QueryEncoding {
  private let document: UnsafeRawBufferPointer
  private let charset: String?
  /// The encoding of the page; nil before the first query that is not ASCII.
  private var encoding: DocumentEncoding?

  /// - Parameters:
  ///   - document: The bytes of the page, which must stay valid.
  ///   - charset: The label that the server states.
  public init(of document: UnsafeRawBufferPointer, charset: String?) {
    self.document = document
    self.charset = charset
  }

  /// Returns a URL whose query is ASCII, unless the page is in a Unicode encoding, whose queries are in UTF-8.
  public mutating func encoded(_ url: String) -> String {
    guard url.utf8.contains(where: { $0 >= 0x80 }), let mark = url.firstIndex(of: "?") else {
      return url
    }
    let start = url.index(after: mark)
    let end = url[start...].firstIndex(of: "#") ?? url.endIndex
    guard url[start..<end].utf8.contains(where: { $0 >= 0x80 }) else { return url }
    let encoding = encoding ?? TextConversion.encoding(of: document, charset: charset)
    self.encoding = encoding
    let query: String?
    switch encoding {
    case .utf8, .utf16: return url
    case .windows1252: query = Self.windows1252(url[start..<end])
    case .converted(let name): query = Self.converted(Array(url[start..<end].utf8), to: name)
    }
    return query.map { String(url[..<start]) + $0 + String(url[end...]) } ?? url
  }

  /// Converts by the table of `Windows1252`, because iconv(3) loads this encoding from a file, which a confined process
  /// cannot open.
  private static func windows1252(_ text: Substring) -> String {
    var output: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = scalar.isASCII ? UInt8(scalar.value) : bytesOfWindows1252[scalar] {
        append(byte, to: &output)
      } else {
        appendReference(to: scalar, to: &output)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let bytesOfWindows1252: [Unicode.Scalar: UInt8] = {
    let bytes = [UInt8](0x80...0xff)
    let characters = Windows1252.text(bytes.span).unicodeScalars
    return Dictionary(uniqueKeysWithValues: zip(characters, bytes))
  }()

  /// Converts by iconv(3); nil if the machine lacks the encoding.
  private static func converted(_ text: [UInt8], to name: String) -> String? {
    guard let conversion = imgdl_iconv_open_to(name) else { return nil }
    defer { imgdl_iconv_close(conversion) }
    var output: [UInt8] = []
    var text = text
    var block = [CChar](repeating: 0, count: 1_024)
    text.withUnsafeMutableBytes { bytes in
      var input = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = bytes.count
      while left > 0 {
        let error = step(conversion, &input, &left, &block, &output)
        if error == 0 || error == E2BIG { continue }
        // The characters before may have left a stateful encoding, such as ISO-2022-JP, in a state without ASCII.
        _ = step(conversion, nil, nil, &block, &output)
        let rest = UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - left)...].prefix(4))
        let scalar = String(decoding: rest, as: UTF8.self).unicodeScalars.first
        appendReference(to: scalar ?? "\u{fffd}", to: &output)
        let length = min(left, scalar.map { UTF8.width($0) } ?? 1)
        input = input.map { $0 + length }
        left -= length
      }
      _ = step(conversion, nil, nil, &block, &output)
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Converts as much as fits into the block, and appends it percent-encoded.
  private static func step(
    _ conversion: UnsafeMutableRawPointer,
    _ input: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ left: UnsafeMutablePointer<Int>?, _ block: inout [CChar], _ output: inout [UInt8]
  ) -> Int32 {
    let count = block.count
    return block.withUnsafeMutableBufferPointer { block in
      var out = block.baseAddress
      var room = count
      let error = imgdl_iconv(conversion, input, left, &out, &room)
      for byte in UnsafeRawBufferPointer(block)[..<(count - room)] { append(byte, to: &output) }
      return error
    }
  }

  /// Appends a byte of the encoding, percent-encoded where a query needs it.
  private static func append(_ byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    // A backslash is the second byte of some characters, and none of a URL's own (RFC 3986).
    case 0...0x20, 0x22, 0x23, 0x3c, 0x3e, 0x5c, 0x7f...0xff:
      output.append(UInt8(ascii: "%"))
      output.append(PercentEncoding.hexDigits[Int(byte >> 4)])
      output.append(PercentEncoding.hexDigits[Int(byte & 15)])
    default: output.append(byte)
    }
  }

  /// Appends the numeric reference to a character that the encoding lacks, percent-encoded.
  private static func appendReference(to scalar: Unicode.Scalar, to output: inout [UInt8]) {
    output += Array("%26%23\(scalar.value)%3B".utf8)
  }
}
