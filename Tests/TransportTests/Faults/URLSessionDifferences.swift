/// What `url-session` makes otherwise of a fault than it should, with the reason. The reasons are those
/// of Documentation/LinuxFoundation.md.
enum URLSessionDifferences {
  /// By the name of a `FaultCase`.
  static let exchanges: [String: String] = Dictionary(
    uniqueKeysWithValues: reasons.flatMap { reason, names in names.map { ($0, reason) } })

  /// Which of them depend on how the pieces arrive.
  static let sometimes: Set<String> = []

  /// By the name of a `TLSFault`.
  static let identities = [
    "with the name as its subject only":
      "libcurl takes the subject's name of a certificate without any other (RFC 9110 §4.3.4 forbids it)"
  ]

  private static let reasons: [(String, [String])] = [
    (
      "Half a header ends the helper process: swift-corelibs-foundation #5285, fixed after 6.3.1",
      ["FIN in the header", "FIN before the empty line"]
    ),
    (
      "Fields behind the last chunk end the helper process like half a header does (#5285)",
      ["a trailer", "a folded trailer", "Content-Length in a trailer", "300 trailers"]
    ),
    (
      "libcurl passes over what stands behind the digits of a chunk size",
      [
        "1 MiB of chunk extension", "chunk size \"0x10\"",
        "chunk size \"2g\"", "chunk size \"2 2\"",
      ]
    ),
    (
      "libcurl's own limits and its errors in trailers come without a code of their own"
        + " (swift-foundation #1319)",
      [
        "chunk size of 17 digits", "4 KiB of trailers and more", "1 MiB of trailers",
        "a header line without end", "a status line without end", "NUL in a trailer",
        "a trailer without a colon",
      ]
    ),
    (
      "A field without a blank behind its colon fails the response:"
        + " swift-corelibs-foundation #5527, fixed after 6.3.1",
      ["no blank behind the colon", "a folded length"]
    ),
    (
      "libcurl takes the end of the connection for the end of the body, with close_notify or without",
      ["no length, FIN without end of TLS"]
    ),
    (
      "libcurl is lenient about versions, and knows none after 1.1 and 2; URLSession wants a blank"
        + " behind the status",
      ["HTTP/1.9", "HTTP/2.0", "http/1.1", "no reason"]
    ),
    (
      "URLSession reads no field whose line ends in LF alone, or whose name is not a token",
      [
        "LF without CR behind a field", "LF without CR at the end", "LF without CR everywhere",
        "a blank before the colon", "a field without a name", "a name that is not ASCII",
      ]
    ),
    (
      "The messages of the helper process are smaller than the largest header",
      ["a header of 256 KiB"]
    ),
    (
      "libcurl waits for the end of the connection after an empty transfer coding",
      ["an empty transfer coding"]
    ),
    ("libcurl leaves a CR inside a value where it is", ["CR in a value"]),
    (
      "URLSession has no limit on interim responses, and joins fields of one name before they can be"
        + " counted",
      [
        "a hundred interim responses", "a header of 256 KiB and a byte", "257 fields",
        "ten thousand fields",
      ]
    ),
    (
      "URLSession shows the fields when libcurl has judged them: the response is refused, the connection"
        + " was already kept",
      [
        "a list of different lengths", "length +5", "length 5x", "length 0x5", "length 5.0",
      ]
    ),
    (
      "URLSession decodes what is called coded, whatever was asked for, and cannot be told not to",
      ["gzip, though identity was asked for", "a coding that nobody knows"]
    ),
    (
      "URLSession tells of a redirect when its body has ended",
      ["with an endless body"]
    ),
    ("URL takes no bad percent-encoding", ["to a path with a bad escape"]),
    ("URLSession keeps one of several Locations", ["two different Locations"]),
  ]
}
