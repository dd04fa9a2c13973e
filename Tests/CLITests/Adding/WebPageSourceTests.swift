import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// Web pages and listings as sources, which the worker parses.
@Suite struct WebPageSourceTests {
  @Test(
    "the images of a page are a record with its title, and listings are read with their folders")
  func pages() async throws {
    try await Rig.run { rig in
      let images = try rig.serveImages("a", 3)
      let page = try rig.serve(
        "page.html",
        "<!DOCTYPE html><title>Herons</title>" + images.map { "<p><img src='\($0)'>" }.joined())
      let ending = try await rig.imgdl("add", page)
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.records().map(\.title) == ["Herons"])
      #expect(try await rig.records().map(\.status) == ["Finished"])
      #expect(try await rig.resources().count == 3)
    }
  }

  @Test("--dry-run lists the images of a page, and --format html reads text that is not recognised")
  func dryRun() async throws {
    try await Rig.run { rig in
      let image = try rig.serveImages("a", 1)[0]
      let page = try rig.serve("part.txt", "<p><img src='\(image)'></p>")
      let ending = try await rig.imgdl("add", "--dry-run", "--format", "html", page)
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(ending.output.contains(image))
    }
  }

  @Test("a page cannot be read without its worker, which is named")
  func missingWorker() async throws {
    try await Rig.run { rig in
      // The other helpers are found.
      let helpers = rig.root + "/helpers"
      try FileSystem.makeFolders(helpers)
      let render = try HelperLocator().path(of: "imgdl-render")
      try ShellScript.write("#!/bin/sh\nexec '\(render)' \"$@\"\n", to: helpers + "/imgdl-render")
      let page = try rig.serve("page.html", "<!DOCTYPE html><img src=a.png>")
      let ending = try await rig.imgdl("add", page, environment: ["IMGDL_HELPERS": helpers])
      #expect(ending.code == 3)
      #expect(ending.errors.contains("imgdl-markup is missing"), "\(ending.errors)")
      #expect(try await rig.records() == [])
    }
  }
}
