import CJPEG
import Models
public import Rendering

/// Finds the damage of a JPEG that its decoder does not report: TurboJPEG reports only the first warning,
/// which may be harmless, and libvips reports none for an image that it shrinks on load.
public struct JPEGSurvey: Sendable {
  private static let library: imgdl_jpeg? = {
    var functions = imgdl_jpeg()
    return imgdl_jpeg_open(&functions) == nil ? functions : nil
  }()

  /// Opens libjpeg; must be called before a worker loses the right to open files. Without libjpeg a survey
  /// examines only the structure of the scans.
  public static func prepare() { _ = library }

  /// Whether libjpeg is installed, without which a survey proves nothing.
  static var isPossible: Bool { library != nil }

  /// Decodes all scans at an eighth of the size, because libjpeg detects damage only while it decodes.
  /// - Returns: The damage, or nil for an intact file.
  public static func damage(_ bytes: UnsafeRawBufferPointer) -> RenderError? {
    if let error = JPEGScans(ByteView(bytes)).damage { return error }
    guard let library else { return nil }
    return withUnsafePointer(to: library) { functions in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
        guard
          imgdl_jpeg_survey(
            functions, bytes.baseAddress, bytes.count, message.baseAddress, message.count) != 0,
          let words = message.baseAddress.map({ String(cString: $0) })
        else { return nil }
        return words.contains("Premature end of JPEG file")
          ? .truncated(.jpeg) : .damaged(.jpeg, words)
      }
    }
  }
}
