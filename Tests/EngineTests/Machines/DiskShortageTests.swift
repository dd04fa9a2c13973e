import LibraryAPI
import Models
import ProgressTree
import Testing

@testable import Engine

/// What the message of a full disk says about the room that is missing.
@Suite struct DiskShortageTests {
  private func text(free: Int64?, lacksFiles: Bool) -> String {
    DiskShortage(free: free, lacksFiles: lacksFiles, active: [], postponed: 0)
      .describing(LibraryError(.diskFull, "no space")).detail
  }

  @Test("Missing bytes are named with the bytes that are free")
  func bytes() {
    #expect(text(free: 10, lacksFiles: false).hasPrefix("no space (10 B free, at least "))
    #expect(text(free: 10, lacksFiles: true).hasPrefix("no space (10 B free, at least "))
    #expect(text(free: nil, lacksFiles: false).hasPrefix("no space (at least "))
  }

  @Test("A file system with free bytes and without free inodes is named as such")
  func inodes() {
    #expect(text(free: .max, lacksFiles: true).contains("no free inodes"))
    #expect(!text(free: .max, lacksFiles: true).contains("needed"))
    let error = DiskShortage(free: .max, lacksFiles: true, active: [], postponed: 0)
      .describing(LibraryError(.diskFull, "no space"))
    #expect(error.code == .diskFull && error.neededBytes == nil)
  }
}
