import Models
import Testing
import WorkerProcess

@testable import Composition

@Suite struct HelperRemedyTests {
  @Test(
    "a missing helper is built in a checkout, and installed elsewhere",
    arguments: [
      ("/srv/imgdl/.build/debug/imgdl-cli", true),
      ("/srv/imgdl/.build/x86_64-unknown-linux-gnu/release/imgdl-cli", true),
      ("/usr/local/bin/imgdl-cli", false), ("/opt/.build/bin/imgdl-cli", false), (nil, false),
    ])
  func remedy(program: String?, isBuilt: Bool) {
    let remedy = HelperRemedy(program: program) { $0 == "/srv/imgdl/Package.swift" }
    let text = remedy.text(for: "imgdl-render")
    #expect(text.contains("swift build --product imgdl-render") == isBuilt, "\(text)")
    #expect(text.contains("Tools/install") != isBuilt, "\(text)")
  }

  @Test("downloads need the program that makes thumbnails only if thumbnails are made")
  func renderer() throws {
    let helpers = HelperLocator(explicit: "/nonexistent")
    var settings = Settings()
    let error = #expect(throws: SettingError.self) {
      try LibraryOpener.requireRenderer(settings, helpers: helpers)
    }
    for words in ["imgdl-render is missing", "/nonexistent", "--no-thumbnails"] {
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
    settings.rendering.thumbnails = false
    try LibraryOpener.requireRenderer(settings, helpers: helpers)
  }
}
