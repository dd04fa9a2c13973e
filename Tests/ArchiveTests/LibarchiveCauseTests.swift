import Archive
import Glibc
import Testing

@testable import ArchiveLibarchive

@Suite("The causes of libarchive's errors")
struct LibarchiveCauseTests {
  @Test(
    "A kind of archive that libarchive does not read is not damaged",
    arguments: [
      ("Unknown codec ID: 4F71101", "its compression is Zstandard"),
      ("Unknown codec ID: 4f71102", "its compression is Brotli"),
      ("Unknown codec ID: ABC", "its compression is number abc"),
      ("RAR solid archive support unavailable.", "RAR solid archive support unavailable."),
      ("Unsupported ZIP compression method (97: WavPack)", nil),
      ("Zstd not supported on this platform", nil), ("lzma codec is not available", nil),
    ])
  func unsupported(message: String, words: String?) {
    let cause = LibarchiveCause(message, number: -1)
    #expect(cause.code == .unsupported)
    #expect(cause.words == words ?? message)
  }

  @Test(
    "Other messages have the cause that their words or their number name",
    arguments: [
      ("Unrecognized archive format", 84, .format), ("Truncated 7-Zip file body", 84, .truncated),
      ("Incorrect passphrase", -1, .encrypted), ("Decompression failed", -1, .damaged),
      ("", EILSEQ, .damaged), ("Read failed", EIO, .io),
    ] as [(String, CInt, ArchiveError.Code)])
  func others(message: String, number: CInt, code: ArchiveError.Code) {
    #expect(LibarchiveCause(message, number: number).code == code)
  }
}
