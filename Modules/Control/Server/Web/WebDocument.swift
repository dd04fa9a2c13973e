import Foundation
import Hashing
import Models

/// The HTML document of the web page for one kind of view.
///
/// The document names all scripts that the view imports, so that a browser requests them at once instead of
/// one import after another, and contains the style sheet and the script that makes the view's first requests.
/// The names are in a template, because a browser would request them before that script runs, and it has six
/// connections, which are also why the style sheet is not a file of its own.
struct WebDocument: Sendable {
  /// The kinds of views, which the first segments of the address tell apart.
  enum View: Hashable, CaseIterable {
    case records, resources, details, slices, hosts

    /// - Returns: nil if the path names no view.
    init?(_ segments: [String]) {
      switch (segments.first, segments.count) {
      case (nil, _), ("login"?, 1): self = .records
      case ("hosts"?, 1): self = .hosts
      case ("records"?, ...4):
        switch segments.dropFirst(2).first {
        case "details"?: self = .details
        case "slices"?: self = .slices
        default: self = .resources
        }
      default: return nil
      }
    }

    fileprivate var script: String {
      switch self {
      case .records: "records.js"
      case .resources: "resources.js"
      case .details: "details.js"
      case .slices: "slices.js"
      case .hosts: "hosts.js"
      }
    }
  }

  let bytes: [UInt8]
  /// The source expressions that allow the script and the style sheet inside the document (CSP 3 §2.3.1).
  let scriptHash, styleHash: String

  /// - Parameters:
  ///   - template: The document with `<script src="/files/early.js"></script>` and
  ///     `<link rel="stylesheet" href="/files/page.css">`, which are replaced by the contents of these files, and with
  ///     an empty `<template>` for the names of the scripts.
  ///   - scripts: The scripts by file name.
  ///   - style: The style sheet.
  ///   - folder: The path of the scripts.
  init(
    _ view: View, template: String, scripts: [String: String], style: String, folder: String
  ) {
    let early = "\n" + (scripts["early.js"] ?? "")
    let style = "\n" + style
    let preloads = Self.imports(of: ["app.js", view.script], scripts).map {
      "\n    <link rel=\"modulepreload\" fetchpriority=\"low\" href=\"/files/\($0)\">"
    }
    let document =
      template
      .replacing("</template>", with: preloads.joined() + "\n  </template>")
      .replacing("/files/early.js", with: "early")
      .replacing("/files/", with: folder)
      .replacing("<script src=\"early\"></script>", with: "<script>\(early)</script>")
      .replacing(
        "<link rel=\"stylesheet\" href=\"\(folder)page.css\">", with: "<style>\(style)</style>")
    bytes = Array(document.utf8)
    (scriptHash, styleHash) = (Self.sourceExpression(early), Self.sourceExpression(style))
  }

  private static func sourceExpression(_ text: String) -> String {
    let hasher = SHA256Hasher()
    hasher.update(Array(text.utf8).span.bytes)
    return "'sha256-\(Data(hasher.finalize().bytes).base64EncodedString())'"
  }

  /// Returns the scripts that these scripts import when they are loaded, directly or not, and the scripts
  /// themselves except the first, which the template names.
  private static func imports(of roots: [String], _ scripts: [String: String]) -> [String] {
    var found = roots
    var next = 0
    while next < found.count {
      let text = scripts[found[next]] ?? ""
      for match in text.matches(of: /(?m)^import .* from '\.\/([a-z]+\.js)';$/) {
        let name = String(match.output.1)
        if !found.contains(name) { found.append(name) }
      }
      next += 1
    }
    return Array(found.dropFirst())
  }
}
