import Origin
import SystemCalls
import Testing

extension Window {
  /// Adds a source as a person does, by pasting it into the list.
  func add(_ source: String, isLazy: Bool = false) async throws {
    try paste(source)
    await shows("Add a source")
    if isLazy {
      try press(.tab)
      await shows("[ ] Names first")
      try type(" ")
      await shows("[x] Names first")
    }
    try press(.enter)
    await hides("Add a source")
  }
}

extension Rig {
  /// Runs a test with a window whose list shows `text` once the source was added.
  func withWindow(
    adding source: String, showing text: String, columns: Int = 80, rows: Int = 24,
    _ arguments: String..., body: (Window) async throws -> Void
  ) async throws {
    var words = ["--set", "network.retries=0"]
    words += arguments
    let window = try Window(self, arguments: words, columns: columns, rows: rows)
    await window.shows("The library is empty.")
    try await window.add(source)
    await window.shows(text)
    do {
      try await body(window)
    } catch {
      await window.quit()
      throw error
    }
    await window.quit()
  }
}
