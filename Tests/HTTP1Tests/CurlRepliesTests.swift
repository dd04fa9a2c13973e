import SystemCalls
import TestSupport
import Testing

/// Replies of the servers in curl's test suite, of which many are bad on purpose.
@Suite(
  "curl's replies",
  .enabled(if: !CurlReplies.files.isEmpty, "http/curl-replies is not in the corpus"))
struct CurlRepliesTests {
  @Test(
    "are the same however they are cut, and never complete before their end",
    arguments: CurlReplies.files)
  func reply(file: String) throws {
    let bytes = try FileSystem.contents(of: file)
    expectOneVerdict(Array(bytes.prefix(4_096)), Comment(rawValue: file))
  }
}

enum CurlReplies {
  static let files = Corpus.files("http/curl-replies")
}

/// A response is the same in one piece, byte by byte, and cut in two anywhere; and no part of it is
/// taken for the whole.
func expectOneVerdict(_ bytes: [UInt8], _ comment: Comment) {
  let whole = receive([bytes[...]])
  #expect(receive(singleBytes(bytes)) == whole, comment)
  for cut in 0...bytes.count {
    #expect(receive(pieces(bytes, cuts: [cut])) == whole, "\(comment) cut before byte \(cut)")
  }
  expectEndsAreSeen(bytes, isResponseToHEAD: false, comment)
}
