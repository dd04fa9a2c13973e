import ArchiveLibarchive
import ArchiveMinizip
import Decoding
import Glibc
import Models
import Rendering
import RenderingCodecs
import RenderingPoppler
import RenderingVips

/// What the decoders stand on, a line each: name, version or `-`, use, problem; for `doctor`.
enum LibraryReport {
  static func print() {
    for library in codecs + vips + poppler + [MinizipReader.library, LibarchiveReader.library] {
      Swift.print(
        [library.name, library.version ?? "-", library.use, library.problem ?? ""]
          .joined(separator: "\t"))
    }
  }

  private static var codecs: [LibraryVersion] {
    report("codecs", "JPEG, PNG, WebP") { () throws(RenderError) in try CodecsDecoder() }
  }

  private static var vips: [LibraryVersion] {
    report("libvips", VipsDecoder.use) { () throws(RenderError) in try VipsDecoder() }
  }

  private static var poppler: [LibraryVersion] {
    report("poppler", PopplerDecoder.use) { () throws(RenderError) in try PopplerDecoder() }
  }

  private static func report(
    _ name: String, _ use: String, _ make: () throws(RenderError) -> any ImageDecoder
  ) -> [LibraryVersion] {
    do throws(RenderError) {
      return try make().libraries
    } catch {
      return [LibraryVersion(name, nil, for: use, problem: error.detail)]
    }
  }
}
