import Glibc

/// The curves and primaries of a profile (ICC.1:2010, sections 9.2 and 10), which may contradict its description:
/// programs also call a profile "Linear sRGB" whose primaries only are those of sRGB.
extension ColourProfile {
  /// Whether the values of the profile are not those of sRGB. A profile with tables in place of curves contradicts
  /// nothing.
  static func contradictsSRGB(_ profile: ByteView) -> Bool {
    // Half of the largest sample is 0.214 of the light in sRGB, 0.218 with a gamma of 2.2, and 0.287 with one of 1.8.
    let names: [StaticString] = ["rTRC", "gTRC", "bTRC", "kTRC"]
    let hasOtherCurve = names.contains { name in
      tag(name, of: profile).flatMap(middle).map { abs($0 - 0.214) > 0.02 } ?? false
    }
    return hasOtherCurve || differs(profile, "rXYZ", [0.436, 0.222, 0.014])
      || differs(profile, "gXYZ", [0.385, 0.717, 0.097])
  }

  /// Whether a primary colour is further from the one of sRGB than by rounding, or by another adaptation to white.
  private static func differs(
    _ profile: ByteView, _ name: StaticString, _ expected: [Double]
  ) -> Bool {
    guard let data = tag(name, of: profile) else { return false }
    return expected.indices.contains { index in
      fixed(data, 8 + 4 * index).map { abs($0 - expected[index]) > 0.05 } ?? false
    }
  }

  /// Returns the value of a curve for half of the largest sample; nil for a curve of another type.
  private static func middle(_ curve: ByteView) -> Double? {
    if curve.starts(with: "curv") { return middleOfTable(curve) }
    guard curve.starts(with: "para"), let type = curve.number(at: 8, size: 2),
      let gamma = fixed(curve, 12)
    else { return nil }
    if type == 0 { return pow(0.5, gamma) }
    // The half is above the linear part of every curve in use.
    guard (1...4).contains(type), let factor = fixed(curve, 16), let summand = fixed(curve, 20)
    else { return nil }
    let offset = type == 2 ? fixed(curve, 24) : type == 4 ? fixed(curve, 32) : 0
    return pow(max(0, factor * 0.5 + summand), gamma) + (offset ?? 0)
  }

  private static func middleOfTable(_ curve: ByteView) -> Double? {
    guard let count = curve.number(at: 8, size: 4) else { return nil }
    if count == 0 { return 0.5 }
    if count == 1 {
      return curve.number(at: 12, size: 2).map { pow(0.5, Double($0) / 256) }
    }
    guard let lower = curve.number(at: 12 + (count - 1) / 2 * 2, size: 2),
      let upper = curve.number(at: 12 + count / 2 * 2, size: 2)
    else { return nil }
    return Double(lower + upper) / 2 / 65_535
  }

  /// Returns a signed number with 16 bits for its fraction.
  private static func fixed(_ data: ByteView, _ offset: Int) -> Double? {
    data.number(at: offset, size: 4)
      .map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }
}
