import JSON
import Testing
import TestSupport

@Suite("JSONTestSuite", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absent)))
struct JSONTestSuiteTests {
  private static let folder = "jsontestsuite/test_parsing"
  private static let deep = "n_structure_100000_opening_arrays.json"

  private static func names(_ prefix: String = "") -> [String] {
    Corpus.files(in: folder, withExtension: "json").filter { $0.hasPrefix(prefix) }
  }

  private static func bytes(_ name: String) throws -> [UInt8] {
    try Corpus.bytes("\(folder)/\(name)")
  }

  @Test("Every text that must be accepted is accepted, and written so that it means the same")
  func accepted() throws {
    let names = Self.names("y_")
    #expect(names.count == 95)
    for name in names {
      let value = try JSONValue(parsing: try Self.bytes(name))
      #expect(try JSONValue(parsing: value.bytes) == value, "\(name)")
    }
  }

  @Test("Every text that must be rejected is rejected")
  func rejected() throws {
    let names = Self.names("n_")
    #expect(names.count == 188)
    for name in names {
      let bytes = try Self.bytes(name)
      #expect(Parse(bytes).error != nil, "\(name)")
      #expect(Parse(bytes, .strict).error != nil, "\(name)")
    }
  }

  @Test("What the standard leaves open is decided as the table says")
  func decided() throws {
    let names = Self.names("i_").map { String($0.dropFirst(2).dropLast(5)) }
    #expect(Set(names) == Set(Self.verdicts.map { "\($0.key)" }))
    for (name, cause) in Self.verdicts {
      #expect(Parse(try Self.bytes("i_\(name).json")).error?.cause == cause, "\(name)")
    }
  }

  @Test("A hundred thousand opening brackets end at the depth limit")
  func deep() throws {
    let parse = Parse(try Self.bytes(Self.deep))
    #expect(parse.error?.cause == .tooDeep)
    #expect(parse.error?.position.offset == 64)
    #expect(parse.events.count == 64)
  }

  @Test(
    "Byte by byte, every text gives the same events and the same error",
    arguments: [JSONPolicy(), .strict, .lenient])
  func byteByByte(policy: JSONPolicy) throws {
    for name in Self.names() where name != Self.deep {
      let bytes = try Self.bytes(name)
      let cut = Parse(bytes, policy, chunks: Array(repeating: 1, count: bytes.count))
      #expect(cut == Parse(bytes, policy), "\(name)")
    }
  }

  /// nil: accepted. Numbers are handed on as written, so none is too large. Half of a surrogate
  /// pair in an escape becomes U+FFFD; bytes that are not UTF-8 are refused.
  static let verdicts: KeyValuePairs<String, JSONError.Cause?> = [
    "number_double_huge_neg_exp": nil,
    "number_huge_exp": nil,
    "number_neg_int_huge_exp": nil,
    "number_pos_double_huge_exp": nil,
    "number_real_neg_overflow": nil,
    "number_real_pos_overflow": nil,
    "number_real_underflow": nil,
    "number_too_big_neg_int": nil,
    "number_too_big_pos_int": nil,
    "number_very_big_negative_int": nil,
    "object_key_lone_2nd_surrogate": nil,
    "string_1st_surrogate_but_2nd_missing": nil,
    "string_1st_valid_surrogate_2nd_invalid": nil,
    "string_incomplete_surrogate_and_escape_valid": nil,
    "string_incomplete_surrogate_pair": nil,
    "string_incomplete_surrogates_escape_valid": nil,
    "string_invalid_lonely_surrogate": nil,
    "string_invalid_surrogate": nil,
    "string_inverted_surrogates_U+1D11E": nil,
    "string_lone_second_surrogate": nil,
    "string_UTF-16LE_with_BOM": .valueMissing,
    "string_utf16BE_no_BOM": .valueMissing,
    "string_utf16LE_no_BOM": .valueMissing,
    "string_UTF-8_invalid_sequence": .notUTF8,
    "string_UTF8_surrogate_U+D800": .notUTF8,
    "string_invalid_utf-8": .notUTF8,
    "string_iso_latin_1": .notUTF8,
    "string_lone_utf8_continuation_byte": .notUTF8,
    "string_not_in_unicode_range": .notUTF8,
    "string_overlong_sequence_2_bytes": .notUTF8,
    "string_overlong_sequence_6_bytes": .notUTF8,
    "string_overlong_sequence_6_bytes_null": .notUTF8,
    "string_truncated-utf-8": .notUTF8,
    "structure_500_nested_arrays": .tooDeep,
    "structure_UTF-8_BOM_empty_object": nil,
  ]
}
