import SystemCalls
import TestSupport
import Testing

@testable import Composition

@Suite struct FontsTests {
  @Test("a font is found in any subfolder, compressed or not; other files are ignored")
  func fonts() throws {
    for (name, isFont) in [
      ("truetype/dejavu/DejaVuSans.ttf", true), ("X.OTF", true), ("Type1/c.pfb", true),
      ("x/y.ttf.gz", true), ("readme.txt", false), ("fonts.dir", false), ("a.ttf/none", false),
    ] {
      let folder = try TemporaryFolder()
      let path = folder.path + "/" + name
      try FileSystem.makeFolders(FileSystem.parentFolder(of: path))
      try FileSystem.replace(path, with: "x", syncing: false)
      #expect(Fonts.exist(in: [folder.path + "/none", folder.path]) == isFont, "\(name)")
    }
    #expect(!Fonts.exist(in: []))
  }
}
