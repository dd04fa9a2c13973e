import Foundation
import Hashing
import Models
import Testing
@testable import Control

/// The documents that the loopback listener serves for the page's views.
@Suite("The document of a view")
struct WebDocumentTests {
  private static let template = """
    <head><template id="modules"></template>
    <script src="/files/early.js"></script><link rel="stylesheet" href="/files/page.css"><script type="module" src="/files/app.js"></script></head>
    """
  private static let scripts = [
    "app.js": "import { a } from './shared.js';\nconst later = import('./add.js');\n",
    "shared.js": "import { b } from './deep.js';\n",
    "deep.js": "import { a } from './shared.js';\n",
    "records.js": "import { a } from './shared.js';\n",
    "hosts.js": "import { c } from './list.js';\n",
    "early.js": "start('/files/');\n",
  ]

  private static let style = ".tile { color: red }\n"

  private func text(_ view: WebDocument.View) -> String {
    let document = WebDocument(
      view, template: Self.template, scripts: Self.scripts, style: Self.style,
      folder: "/files/0123/")
    return String(decoding: document.bytes, as: UTF8.self)
  }

  @Test("names the scripts that the view imports, each once, and not those that it loads later")
  func preloads() throws {
    let names = { (view: WebDocument.View) in
      text(view).matches(
        of: /modulepreload" fetchpriority="low" href="\/files\/0123\/([a-z]+\.js)"/
      ).map {
        String($0.output.1)
      }
    }
    #expect(names(.records) == ["records.js", "shared.js", "deep.js"])
    #expect(names(.hosts) == ["hosts.js", "shared.js", "list.js", "deep.js"])
    #expect(text(.hosts).contains("src=\"/files/0123/app.js\""))
    // A browser must not find the names before it has run the script.
    let document = text(.hosts)
    let template = try #require(
      document.firstRange(of: /<template id="modules">[\s\S]*<\/template>/))
    let script = try #require(document.firstRange(of: "<script>"))
    let lastName = try #require(document.ranges(of: "modulepreload").last)
    #expect(template.contains(lastName.lowerBound) && template.upperBound < script.lowerBound)
  }

  @Test(
    "contains the first script and the style sheet unchanged, with the hashes that the policy allows"
  )
  func hashes() throws {
    let document = WebDocument(
      .records, template: Self.template, scripts: Self.scripts, style: Self.style,
      folder: "/files/0123/")
    let script = try #require(text(.records).firstMatch(of: /<script>([^<]*)<\/script>/)).output.1
    #expect(script == "\nstart('/files/');\n")
    #expect(document.scriptHash == sourceExpression(script))
    let style = try #require(text(.records).firstMatch(of: /<style>([^<]*)<\/style>/)).output.1
    #expect(style == "\n.tile { color: red }\n")
    #expect(document.styleHash == sourceExpression(style))
    #expect(!text(.records).contains("page.css"))
  }

  private func sourceExpression(_ text: Substring) -> String {
    let hasher = SHA256Hasher()
    hasher.update(Array(text.utf8).span.bytes)
    return "'sha256-\(Data(hasher.finalize().bytes).base64EncodedString())'"
  }

  @Test(
    "is chosen by the path",
    arguments: [
      ("", .records), ("login", .records), ("hosts", .hosts), ("records/1", .resources),
      ("records/1/7", .resources), ("records/1/7/2", .resources), ("records/1/details", .details),
      ("records/1/slices/9", .slices), ("hosts/1", nil), ("login/1", nil), ("records/1/2/3/4", nil),
      ("etc", nil),
    ] as [(String, WebDocument.View?)])
  func view(path: String, expected: WebDocument.View?) {
    #expect(WebDocument.View(path.split(separator: "/").map(String.init)) == expected)
  }
}
