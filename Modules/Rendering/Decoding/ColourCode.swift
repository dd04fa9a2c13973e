import Glibc

/// Colours that a file states by numbers (ITU-T H.273, tables 2 and 3), as the chunk `cICP` of PNG and the box `nclx` of
/// HEIF and AVIF do.
public struct ColourCode: Equatable, Sendable {
  let primaries: Int
  let transfer: Int

  public init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }

  /// Whether the samples need no conversion. Numbers for "unspecified" count as sRGB, and so does the curve of video,
  /// as in image programs.
  public var isSRGB: Bool { (primaries == 1 || primaries == 2) && transferKind == .sRGB }

  /// Whether both numbers are known.
  public var isKnown: Bool { chromaticities != nil && transferKind != nil }

  /// A remark about values that are brighter than white; nil if there are none.
  public var remark: String? {
    switch transferKind {
    case .perceptualQuantizer: "the image is in HDR (PQ); what is brighter than white is cut off"
    case .hybridLogGamma: "the image is in HDR (HLG); what is brighter than white is cut off"
    default: nil
    }
  }

  private enum Transfer: Equatable {
    case sRGB, linear, perceptualQuantizer, hybridLogGamma
    /// SMPTE ST 240, of early high-definition television.
    case earlyTelevision
    /// SMPTE ST 428-1, of digital cinema.
    case cinema
    case gamma(Double)
  }

  private var transferKind: Transfer? {
    switch transfer {
    case 1, 2, 6, 13, 14, 15: .sRGB
    case 4: .gamma(2.2)
    case 5: .gamma(2.8)
    case 7: .earlyTelevision
    case 8: .linear
    case 16: .perceptualQuantizer
    case 17: .cinema
    case 18: .hybridLogGamma
    default: nil
    }
  }

  /// White, red, green and blue, each as x and y.
  private var chromaticities: [Double]? {
    let daylight = [0.3127, 0.3290]
    // The white C of the CIE.
    let olderDaylight = [0.310, 0.316]
    return switch primaries {
    case 1, 2: daylight + [0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
    case 4: olderDaylight + [0.67, 0.33, 0.21, 0.71, 0.14, 0.08]
    case 5: daylight + [0.64, 0.33, 0.29, 0.60, 0.15, 0.06]
    case 6, 7: daylight + [0.63, 0.34, 0.31, 0.595, 0.155, 0.07]
    case 8: olderDaylight + [0.681, 0.319, 0.243, 0.692, 0.145, 0.049]
    case 9: daylight + [0.708, 0.292, 0.170, 0.797, 0.131, 0.046]
    case 11: [0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
    case 12: daylight + [0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
    case 22: daylight + [0.630, 0.340, 0.295, 0.605, 0.155, 0.077]
    default: nil
    }
  }

  /// Returns an ICC profile of the colours; nil if they are those of sRGB or unknown.
  public var profile: [UInt8]? {
    guard !isSRGB, let chromaticities, let transferKind else { return nil }
    return MatrixProfile.make(chromaticities) { Self.light(of: $0, transferKind) }
  }

  /// Returns an ICC profile for an image that has only grey; nil if its grey is that of sRGB or unknown.
  public var greyProfile: [UInt8]? {
    guard isKnown, let transferKind, transferKind != .sRGB else { return nil }
    return MatrixProfile.makeGrey { Self.light(of: $0, transferKind) }
  }

  /// The light in cd/m² that becomes white: twice the white of ITU-R BT.2408, as in Chromium, so that what is a little
  /// brighter than that white keeps its drawing.
  private static let white = 406.0

  /// Returns the light of a sample, relative to white.
  private static func light(of sample: Double, _ transfer: Transfer) -> Double {
    switch transfer {
    case .linear: return sample
    case .gamma(let gamma): return pow(sample, gamma)
    case .sRGB: return sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    case .earlyTelevision:
      return sample < 0.0913 ? sample / 4 : pow((sample + 0.1115) / 1.1115, 1 / 0.45)
    case .cinema: return pow(sample, 2.6) * 52.37 / 48
    case .perceptualQuantizer:
      // SMPTE ST 2084; the largest light is 10,000 cd/m².
      let power = pow(sample, 1 / 78.84375)
      let light = max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power)
      return pow(light, 1 / 0.1593017578125) * 10_000 / white
    case .hybridLogGamma:
      // ITU-R BT.2100, for a display of 1,000 cd/m².
      let scene =
        sample <= 0.5
        ? sample * sample / 3 : (exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12
      return pow(scene, 1.2) * 1_000 / white
    }
  }
}
