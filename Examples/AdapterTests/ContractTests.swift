import ArchiveContracts
import Decoding
import DecoderContracts
import MyArchive
import MyDecoder
import MyStore
import MyTransport
import StoreContracts
import TestSupport
import Testing
import TransportContracts

@Suite("My transport") struct MyTransportTests {
  /// What it cannot do, by the name of the rule, with the reason. A rule that is kept after all fails the
  /// test, until its line is gone.
  private static let knownDifferences = [
    "An https URL of a plain-text server is an error that says so": "it does not speak TLS",
    "One transfer after the other uses one connection": "it makes a connection for each request",
    "A redirect and its target use one connection": "it makes a connection for each request",
    "A request on a reused connection that dies is repeated, on a new one it is not":
      "it reuses no connection",
    "A reused connection that dies in the answer is an error": "it reuses no connection",
  ]

  @Test("keeps the contract", arguments: TransportContract.rules)
  func contract(_ rule: TransportContract.Rule) async throws {
    let transport = MyTransport(userAgent: "my-transport/1.0")
    if let reason = Self.knownDifferences[rule.name] {
      await withKnownIssue(Comment(rawValue: reason)) { try await rule.check(transport) }
    } else {
      try await rule.check(transport)
    }
    await transport.shutdown()
  }
}

@Suite("My archive reader") struct MyArchiveTests {
  private static let subject = ArchiveSubject("my-archive", archives: .made(TarBuilder.build)) {
    MyArchiveReader()
  }

  @Test("keeps the contract", arguments: ArchiveContract.rules.filter { $0.applies(to: subject) })
  func contract(_ rule: ArchiveRule) throws { try rule.check(Self.subject) }
}

@Suite("My decoder") struct MyDecoderTests {
  /// Red, green / blue, white, from the lower left corner; rows of eight bytes.
  private static let bmp: [UInt8] =
    Array("BM".utf8) + [70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]
    + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
    + [255, 0, 0, 255, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0]

  @Test(
    "keeps the contract", arguments: DecoderContract.rules, MyDecoderPlugin.decoders.map(\.name))
  func contract(_ rule: DecoderRule, _ name: String) throws {
    for decoder in MyDecoderPlugin.decoders where decoder.name == name {
      try rule.check(decoder, with: DecoderSample("BMP", Self.bmp, width: 2, height: 2))
    }
  }
}

@Suite("My store") struct MyStoreTests {
  @Test("keeps the contract", arguments: StoreContract.rules)
  func contract(_ rule: StoreRule) async throws { try await rule.check(MemoryStoreOpening()) }
}
