import Manifests
import Testing

@Suite(
  "JSONTestSuite",
  .enabled(if: Corpus.isPresent, "the corpus is neither in ../shared/corpus nor in IMGDL_CORPUS"))
struct JSONTestSuiteTests {
  @Test("Every text that must be accepted is accepted")
  func accepted() throws {
    let names = try Corpus.names("y_")
    #expect(names.count == 95)
    for name in names {
      let error = Parse(try Corpus.bytes(name)).error
      #expect(error == nil, "\(name)")
    }
  }

  @Test("Every text that must be rejected is rejected")
  func rejected() throws {
    let names = try Corpus.names("n_")
    #expect(names.count == 188)
    for name in names {
      let error = Parse(try Corpus.bytes(name)).error
      #expect(error != nil, "\(name)")
    }
  }

  @Test("What the standard leaves open is decided as the table says")
  func decided() throws {
    let names = try Corpus.names("i_").map { String($0.dropFirst(2).dropLast(5)) }
    #expect(Set(names) == Set(Self.verdicts.map { "\($0.key)" }))
    for (name, code) in Self.verdicts {
      let error = Parse(try Corpus.bytes("i_\(name).json")).error
      #expect(error?.code == code, "\(name)")
    }
  }

  @Test("A hundred thousand opening brackets end at the depth limit")
  func deep() throws {
    let parse = Parse(try Corpus.bytes("n_structure_100000_opening_arrays.json"))
    #expect(parse.error?.code == .tooDeep)
    #expect(parse.error?.offset == 64)
    #expect(parse.events.count == 64)
  }

  @Test("Byte by byte, every text gives the same events and the same error")
  func byteByByte() throws {
    for name in try Corpus.names("") where name != "n_structure_100000_opening_arrays.json" {
      let bytes = try Corpus.bytes(name)
      let cut = Parse(bytes, chunks: Array(repeating: 1, count: bytes.count))
      #expect(cut == Parse(bytes), "\(name)")
    }
  }

  @Test("As a list, every text is read or refused for the reason that it has as JSON")
  func asLists() throws {
    for name in try Corpus.names("") where name != "n_structure_100000_opening_arrays.json" {
      let bytes = try Corpus.bytes(name)
      let code = Parse(bytes).error?.code
      let reading = Reading(bytes, format: .json)
      // What is good JSON may be no list; a list in UTF-16 is converted before it is read.
      let isGood = code == nil || name.lowercased().contains("utf16") || name.contains("UTF-16")
      let isExpected =
        isGood
        ? [nil, .shape].contains(reading.error?.code)
        : reading.error?.code == code || reading.error?.code == .encoding
      #expect(isExpected, "\(name): \(String(describing: reading.error))")
      #expect(reading.entryCount + reading.problemCount <= bytes.count)
    }
  }

  @Test("With its form left open, every text gives the same list however it is cut")
  func recognised() throws {
    for name in try Corpus.names("") where name != "n_structure_100000_opening_arrays.json" {
      let bytes = try Corpus.bytes(name)
      let whole = Reading(bytes)
      #expect(
        Reading(bytes, chunks: Array(repeating: 1, count: bytes.count)) == whole, "\(name)")
    }
  }

  /// nil: accepted. Numbers are handed on as written, so none is too large. Half of a surrogate
  /// pair in an escape becomes U+FFFD; bytes that are not UTF-8 are refused.
  static let verdicts: KeyValuePairs<String, ManifestError.Code?> = [
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
    "string_UTF-16LE_with_BOM": .encoding,
    "string_utf16BE_no_BOM": .encoding,
    "string_utf16LE_no_BOM": .encoding,
    "string_UTF-8_invalid_sequence": .encoding,
    "string_UTF8_surrogate_U+D800": .encoding,
    "string_invalid_utf-8": .encoding,
    "string_iso_latin_1": .encoding,
    "string_lone_utf8_continuation_byte": .encoding,
    "string_not_in_unicode_range": .encoding,
    "string_overlong_sequence_2_bytes": .encoding,
    "string_overlong_sequence_6_bytes": .encoding,
    "string_overlong_sequence_6_bytes_null": .encoding,
    "string_truncated-utf-8": .encoding,
    "structure_500_nested_arrays": .tooDeep,
    "structure_UTF-8_BOM_empty_object": nil,
  ]
}
