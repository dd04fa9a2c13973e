import CommandLine
import Models
import Testing

@Suite("Reading values")
struct ValueKindTests {
  @Test(
    "sizes count in steps of 1024",
    arguments: [
      ("0", 0), ("7", 7), ("500k", 512_000), ("2M", 2_097_152), ("2m", 2_097_152),
      ("1G", 1_073_741_824), ("3T", 3_298_534_883_328), ("9223372036854775807", .max),
    ])
  func sizes(text: String, bytes: Int) { #expect(ByteSize.parse(text) == bytes) }

  @Test(
    "an invalid size, or one that is too large, is refused",
    arguments: [
      "", "k", "-1", "+1", "1.5M", "1 k", "1kb", "0x10", "٣", "9223372036854775808",
      "9007199254740992k", "99999999T",
    ])
  func badSizes(text: String) { #expect(ByteSize.parse(text) == nil) }

  @Test(
    "times take a unit, decimals, or neither",
    arguments: [
      ("50ms", Duration.milliseconds(50)), ("2s", .seconds(2)), ("2", .seconds(2)),
      ("1m", .seconds(60)), ("2h", .seconds(7200)), ("1.5s", .milliseconds(1500)),
      ("0.25", .milliseconds(250)), ("0.000000001s", .nanoseconds(1)), ("0ms", .zero),
      ("1000000000h", .seconds(3_600_000_000_000)),
    ])
  func times(text: String, duration: Duration) { #expect(TimeSpan.parse(text) == duration) }

  @Test(
    "an invalid time, or one that is too long, is refused",
    arguments: [
      "", "s", "-1s", "1.s", ".5s", "1.2.3s", "1 s", "1sec", "1.0000000001s", "1000000001h",
      "99999999999999999999s", "1d",
    ])
  func badTimes(text: String) { #expect(TimeSpan.parse(text) == nil) }

  @Test("an integer without an upper limit says so")
  func openRange() {
    #expect(ValueKind.integer(1...(.max)).expectation == "a whole number of at least 1")
    #expect(!ValueKind.integer(1...(.max)).accepts("99999999999999999999"))
  }

  @Test("a swap of neighbours is one step")
  func distance() {
    #expect(Suggestion.distance("strat", "start") == 1)
    #expect(Suggestion.distance("kitten", "sitting") == 3)
    #expect(Suggestion.distance("", "abc") == 3)
    #expect(Suggestion.distance("ca", "abc") == 3)
  }

  @Test("a word is suggested only if it is the unique nearest one")
  func suggestions() {
    #expect(Suggestion.nearest(to: "sotp", in: ["start", "stop"]) == "stop")
    #expect(Suggestion.nearest(to: "bat", in: ["cat", "hat"]) == nil)
    #expect(Suggestion.nearest(to: "no", in: ["no-input", "no-color"]) == nil)
    #expect(Suggestion.nearest(to: "thumb", in: ["thumbnails", "list"]) == "thumbnails")
    #expect(Suggestion.nearest(to: "elephant", in: ["list", "show"]) == nil)
    #expect(Suggestion.nearest(to: "x", in: []) == nil)
  }
}
