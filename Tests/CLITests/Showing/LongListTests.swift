import Foundation
import Models
import TestSupport
import Testing

@testable import CLIProgram

/// Lists that are longer than what is held of them at a time.
@Suite struct LongListTests {
  @Test("rows of a long list are complete and in order, as a table, as JSON and as CSV")
  func streaming() async throws {
    try await Rig.run { rig in
      let count = 2_345
      let urls = (1...count).map {
        "http://127.0.0.1:9/\($0)-\(String(repeating: "x", count: $0 % 40)).png"
      }
      let list = try rig.write("long.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", "--lazy", list).code == 0)
      for command in ["show", "details"] {
        let table = try await rig.imgdl(command, "1").output.split(separator: "\n")
        #expect(table.count == count + 2)
        #expect(table[1].contains("NAME"))
        for (row, url) in zip(table.dropFirst(2), urls) { #expect(row.contains(url)) }
        let rows = try await rig.imgdl(command, "--json", "1").output.split(separator: "\n")
        let read = try rows.map {
          try JSONDecoder().decode(ListedResource.self, from: Data($0.utf8))
        }
        #expect(read.map(\.url) == urls)
        #expect(read.map(\.index) == Array(1...count))
      }
      let csv = try await rig.imgdl("details", "--csv", "1").output.split(separator: "\n")
      #expect(
        csv.dropFirst().map {
          String($0.split(separator: ",", omittingEmptySubsequences: false)[2])
        } == urls)
      for limit in [1, 999, 1_000, 1_001, 2_000, 9_999] {
        let some = try await rig.imgdl("show", "1", "--json", "--limit", "\(limit)").output
        #expect(some.split(separator: "\n").count == min(limit, count))
      }
    }
  }

  @Test("up to twenty failures are printed, with a count of the others", arguments: [20, 21, 60])
  func failures(_ count: Int) async throws {
    try await Rig.run { rig in
      let urls = (1...count).map { rig.url("none-\($0).png") } + ["no URL"]
      let bad = (1...count).map { "bad entry \($0)" }
      let list = try rig.write("list.txt", (urls + bad).joined(separator: "\n"))
      let add = try await rig.imgdl("add", "--retry", "0", list)
      let told = add.errors.split(separator: "\n")
      #expect(told.count { $0.contains("HTTP 404") } == 20)
      #expect(told.contains { $0.contains("\(count - 20) more failed") } == (count > 20))
      #expect(told.count { $0.contains("bad entry") } <= 20)
      let show = try await rig.imgdl("show", "1").output.split(separator: "\n")
      #expect(show.count { $0.contains(": HTTP 404") } == 20)
      #expect(show.contains { $0.hasPrefix("\(count - 20) more") } == (count > 20))
      let export = try await rig.imgdl("export", "1", "--format", "dir", "-o", "out")
      #expect(export.errors.split(separator: "\n").count { $0.contains("HTTP 404") } == 20)
      #expect(export.errors.contains("\(count - 20) more") == (count > 20), "\(export.errors)")
    }
  }

  @Test("a reader that goes early ends every list quietly")
  func closedPipe() async throws {
    try await Rig.run { rig in
      let urls = (1...3_000).map { "http://127.0.0.1:9/\($0).png" }
      let list = try rig.write("long.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", "--lazy", list).code == 0)
      for command in [
        "show 1", "show 1 --json", "details 1", "details 1 --json", "details 1 --csv", "list",
        "config", "config --json", "help add", "completion man", "add --dry-run '\(list)'",
        "export 1 --format csv", "export 1 --format jsonl", "export 1 --format csv -o /dev/stdout",
      ] {
        let ending = try await rig.shell(
          "cd '\(rig.root)' && { imgdl-cli \(command) 2>errors; echo $? >code; } | { exec <&-; sleep 0.1; }; cat code errors"
        )
        #expect(ending.output == "0\n", "\(command): \(ending.output)")
      }
    }
  }

  @Test("a row of JSON is equal to the output of an encoder")
  func rows() throws {
    for text in ["", "a", "a\"b\\c", "\n\r\t", "\u{1}\u{7f}\u{9b}\u{202e}", "é😀/", "\u{2028}"] {
      var bytes: [UInt8] = []
      JSONRow.append(to: &bytes) { row in
        row.add("text", text)
        row.add("none", nil as String?)
        row.add("number", Int64.min)
        row.add("inner") { inner in
          inner.add("half", thousandths: 500)
          inner.add("whole", thousandths: 3_000)
          inner.add("negative", thousandths: -20_070)
          inner.add("none", thousandths: nil)
        }
        row.add("last", thousandths: .min)
      }
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      #expect(object["text"] as? String == text)
      #expect(object["number"] as? Int64 == .min)
      #expect(
        (object["inner"] as? [String: Double]) == ["half": 0.5, "whole": 3, "negative": -20.07])
      #expect(object["last"] as? Double == -9_223_372_036_854_775.808)
      #expect(object.count == 4)
      #expect(!bytes.contains { $0 < 0x20 || $0 == 0x7f })
    }
  }

  @Test("a wide cell behind the rows that were sampled moves its own row only")
  func widths() {
    var table = Table([("A", .left), ("B", .right)])
    table.add(["x", "1"])
    var line: [UInt8] = []
    table.append(["wide", "22"], table.layout(columns: nil), to: &line)
    #expect(String(decoding: line, as: UTF8.self) == "wide  22")
    line = []
    table.append(["wide", "2"], table.layout(columns: 80), to: &line)
    #expect(String(decoding: line, as: UTF8.self) == "…  2")
  }
}
