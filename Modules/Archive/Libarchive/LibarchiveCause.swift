import Archive
import Glibc

/// The cause of an error of libarchive, which distinguishes most causes only by the text of the message.
struct LibarchiveCause: Equatable {
  let code: ArchiveError.Code
  /// The words about the cause for people; may be empty.
  let words: String

  /// - Parameters:
  ///   - text: The message of libarchive.
  ///   - number: The error number of libarchive: an `errno`, or a negative one of its own.
  init(_ text: String, number: CInt) {
    let unsupported = [
      "nsupported", "not supported", "support unavailable", "not available", "Unknown codec ID",
    ]
    words = Self.codecName(text) ?? text
    switch text {
    case _ where text.contains("Unrecognized archive format"): code = .format
    case _ where text.contains("runcated"): code = .truncated
    case _ where text.contains("ncrypt") || text.contains("assphrase"): code = .encrypted
    case _ where unsupported.contains(where: text.contains): code = .unsupported
    default: code = number > 0 && number != EILSEQ && number != EINVAL ? .io : .damaged
    }
  }

  /// Returns the name of the compression that a message about a 7z archive names by its number, or nil. The numbers
  /// are those of 7-Zip's DOC/Methods.txt, in which forks of 7-Zip have registered theirs.
  private static func codecName(_ text: String) -> String? {
    let words = "Unknown codec ID: "
    guard text.hasPrefix(words) else { return nil }
    let names = [
      "4f71101": "Zstandard", "4f71102": "Brotli", "4f71104": "LZ4",
      "4f71106": "Lizard", "40109": "Deflate64", "30401": "PPMd",
    ]
    let number = text.dropFirst(words.count).lowercased()
    return "its compression is " + (names[number] ?? "number \(number)")
  }
}
