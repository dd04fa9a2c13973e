/// Whether files are there to their ends, where the libraries make do with less: a picture whose lower
/// half is missing is no picture.
///
/// Total; each looks at the structure alone. What has another structure counts as whole: the
/// decoder says what is wrong with it.
public enum FileEnds {
  /// ITU-T T.81, annex B: segments and scans up to the end marker.
  public static func isWholeJPEG(_ file: ByteView) -> Bool {
    var markers = JPEGMarkerWalk(file)
    while let marker = markers.next() {
      if marker.code == 0xd9 { return true }
    }
    return false
  }
}
