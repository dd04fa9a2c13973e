/// The widths of scalars in columns, from the ranges in `WidthTable+Data.swift`.
enum WidthTable {
  /// Returns the width of a scalar: 0, 1 or 2. Unassigned scalars count as 1.
  static func width(_ scalar: UInt32) -> Int {
    if scalar < 0x300 { return scalar == 0xad ? 0 : 1 }
    if contains(zero, scalar) { return 0 }
    // The wide character with the lowest number is a Hangul letter, U+1100.
    return scalar >= 0x1100 && contains(wide, scalar) ? 2 : 1
  }

  /// Returns whether a character changes the direction or the meaning of the text around it, and is never
  /// written.
  static func isForbidden(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x00..<0x20, 0x7f..<0xa0, 0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028...0x202e,
      0x2060...0x206f, 0xfeff, 0xfff9...0xfffb:
      true
    default: false
    }
  }

  /// Returns whether one of the ranges (first, last, first, last …) contains the value.
  private static func contains(_ ranges: ContiguousArray<UInt32>, _ value: UInt32) -> Bool {
    ranges.withUnsafeBufferPointer { ranges in
      var low = 0
      var high = ranges.count / 2
      while low < high {
        let middle = (low &+ high) / 2
        if value < ranges[2 &* middle] {
          high = middle
        } else if value > ranges[2 &* middle &+ 1] {
          low = middle &+ 1
        } else {
          return true
        }
      }
      return false
    }
  }
}
