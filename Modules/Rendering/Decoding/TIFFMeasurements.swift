/// The statements of a TIFF of measurements, such as heights, about its numbers.
public enum TIFFMeasurements {
  /// `GDAL_NODATA`, a number as text.
  private static let missingTag = 42_113

  /// Returns the number that stands where there is no measurement; nil if the page states none.
  public static func missing(in file: ByteView, page: Int) -> Double? {
    guard let text = TIFFDirectory(file, page: page)?.text(missingTag) else { return nil }
    return Double(text.filter { !$0.isWhitespace })
  }
}
