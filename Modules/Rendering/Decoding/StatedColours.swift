import Glibc
import Models

/// The colours that a PNG, HEIF or AVIF states other than by an embedded profile. In a PNG, the chunks `cICP`, `iCCP`,
/// `sRGB`, and `gAMA` with `cHRM` count in this order (PNG, third edition, section 4.3); in the other formats, a profile
/// counts before numbers.
public struct StatedColours: Sendable {
  /// An ICC profile of the stated colours; nil if they are those of sRGB, or if an embedded profile states them.
  public private(set) var profile: [UInt8]?
  /// The profile in place of `profile` for an image that has only grey; nil if its grey is that of sRGB.
  public private(set) var greyProfile: [UInt8]?
  /// Whether an embedded profile is to be ignored.
  public private(set) var overridesProfile = false
  /// A remark about the colours, as a clause for users.
  public private(set) var remark: String?

  public init(_ source: ImageSource) {
    guard !source.keepsStoredColors else { return }
    let file = ByteView(source.bytes)
    switch source.format {
    case .png: readChunks(of: file)
    case .avif, .heif:
      if let code = HEIFStructure(file).colourCode { use(code) }
    default: break
    }
  }

  private mutating func use(_ code: ColourCode) {
    profile = code.profile
    greyProfile = code.greyProfile
    remark = code.remark
  }

  private mutating func readChunks(of file: ByteView) {
    var chunks: [String: ByteView] = [:]
    var offset = 8
    while let length = file.number(at: offset, size: 4), !file.starts(with: "IDAT", at: offset + 4)
    {
      for name in ["cICP", "iCCP", "sRGB", "gAMA", "cHRM"]
      where chunks[name] == nil && file.slice(offset + 4, 4).array == Array(name.utf8) {
        chunks[name] = file.slice(offset + 8, length)
      }
      offset += length + 12
    }
    if let chunk = chunks["cICP"], chunk.count == 4, let primaries = chunk.byte(0),
      let transfer = chunk.byte(1)
    {
      let code = ColourCode(primaries: Int(primaries), transfer: Int(transfer))
      if code.isKnown {
        overridesProfile = true
        return use(code)
      }
    }
    guard chunks["iCCP"] == nil, chunks["sRGB"] == nil,
      let gamma = chunks["gAMA"]?.number(at: 0, size: 4),
      let primaries = chunks["cHRM"], primaries.count == 32, gamma > 0
    else { return }
    let values = (0..<8).compactMap { primaries.number(at: 4 * $0, size: 4) }
    let chromaticities = values.map { Double($0) / 100_000 }
    guard zip(chromaticities, Self.primariesOfSRGB).contains(where: { abs($0 - $1) > 0.01 }) else {
      return
    }
    let curve = { (sample: Double) in pow(sample, 100_000 / Double(gamma)) }
    profile = MatrixProfile.make(chromaticities, curve: curve)
    if profile != nil { greyProfile = MatrixProfile.makeGrey(curve: curve) }
  }

  private static let primariesOfSRGB = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
}
