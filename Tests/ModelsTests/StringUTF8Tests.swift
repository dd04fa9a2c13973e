import Models
import Testing

@Suite struct StringUTF8Tests {
  @Test("A text is put together of parts")
  func parts() {
    let text = String(utf8Capacity: 40) { text in
      text.append("né-")
      text.append("abc".dropFirst())
      text.append(UInt8(ascii: "/"))
      text.append(decimal: 7, width: 3)
      text.append(hexadecimal: 0xab_cdef_0123_4567)
    }
    #expect(text == "né-bc/00700abcdef01234567")
  }

  @Test(
    "A number is written as Swift writes it",
    arguments: [0, 1, 9, 10, 99, 100, 12_345, 1 << 63, .max] as [UInt])
  func decimal(number: UInt) {
    let text = String(utf8Capacity: 20) { $0.append(decimal: number) }
    #expect(text == String(number))
    #expect(number.decimalDigits == text.utf8.count)
  }

  @Test("The width pads and never cuts", arguments: [(5, 4, "0005"), (12_345, 2, "12345")])
  func width(number: UInt, width: Int, expected: String) {
    #expect(String(utf8Capacity: 8) { $0.append(decimal: number, width: width) } == expected)
  }
}
