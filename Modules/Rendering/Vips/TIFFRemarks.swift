import Decoding
import Models
import Rendering

/// The properties of a TIFF that libvips does not report: no entries in its directory, and images that are not shown.
struct TIFFRemarks {
  let source: ImageSource

  /// Rejects a file whose first directory has no entries, which libtiff takes for a lack of memory.
  func checkDirectory() throws(RenderError) {
    guard TIFFContents.hasEmptyDirectory(ByteView(source.bytes)) else { return }
    throw .damaged(.tiff, "its directory has no entries")
  }

  /// Returns the first page with a remark about the images of the file that are not shown, if there are any.
  func added(to page: DecodedPage) -> DecodedPage {
    guard page.damage == nil else { return page }
    var remarks: [String] = []
    // Only as many pages are counted as are shown.
    if page.info.pageCount == source.limits.pages, let tiff = TIFFDecoder.library,
      let file = TIFFFile(tiff, source, page: 0),
      let remark = source.limits.remark(pageCount: file.pageCount)
    {
      remarks.append(remark)
    }
    if page.info.pageCount == 1,
      let count = TIFFContents.statedImages(in: ByteView(source.bytes)), count > 1
    {
      remarks.append("the file states \(count) images, of which the first is shown")
    }
    guard !remarks.isEmpty else { return page }
    return page.completed((remarks + [page.remark].compactMap { $0 }).joined(separator: "; "))
  }
}
