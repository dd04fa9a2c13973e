import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport
import SystemCalls

/// The commands `archive list URL` and `archive get URL PAGE…`, which read a zip archive on a server.
enum ArchiveCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let url = try Sources.url(context.invocation.argument("URL") ?? "")
    let isGet = context.invocation.path.dropFirst().first == "get"
    context.warn()
    let interrupts = try Interrupts()
    let folder = try FileSystem.temporaryFolder(prefix: "imgdl-archive")
    defer { try? FileSystem.removeTree(folder) }
    let reader = try LibraryOpener.remoteArchives(folder: folder, settings: context.settings)
    do {
      let code = try await interrupts.during {
        isGet
          ? try await ArchivePages(context, url, folder).get(with: reader)
          : try await list(url, reader, context)
      }
      await reader.close()
      return code
    } catch {
      await reader.close()
      if interrupts.wasInterrupted { throw ProgramFailure(.interrupted, "interrupted") }
      throw error
    }
  }

  private struct Row: Encodable {
    let page: Int?
    let name: String
    let bytes: Int64
    let compressed: Int64
    let isEncrypted: Bool

    enum CodingKeys: String, CodingKey {
      case page, name, bytes, compressed
      case isEncrypted = "encrypted"
    }
  }

  private static func list(
    _ url: HTTPURL, _ reader: any RemoteArchiveReading, _ context: Context
  ) async throws -> ExitCode {
    let listing = try await reader.list(url)
    let console = context.console
    if context.invocation.flag("json") {
      for entry in listing.entries {
        console.print(
          JSONOutput.line(
            Row(
              page: entry.page, name: entry.name, bytes: entry.byteCount,
              compressed: entry.compressedBytes, isEncrypted: entry.isEncrypted)))
      }
    } else if !listing.entries.isEmpty {
      var table = StreamedTable(
        [("PAGE", .right), ("NAME", .name), ("SIZE", .right), ("TRANSFER", .right), ("", .left)],
        dispensable: ["TRANSFER"], to: console)
      for entry in listing.entries {
        table.add([
          entry.page.map(String.init) ?? "-", entry.name, ByteText.short(entry.byteCount),
          ByteText.short(entry.compressedBytes), entry.isEncrypted ? "encrypted" : "",
        ])
      }
      table.finish()
    }
    let pages = listing.entries.count { $0.page != nil }
    console.printNote(
      "\(pages) page\(pages == 1 ? "" : "s") in an archive of \(ByteText.short(listing.byteCount)); "
        + listing.traffic.text)
    return .success
  }
}

extension RemoteArchiveTraffic {
  /// The requests and bytes as a clause for users.
  var text: String {
    "\(requests) request\(requests == 1 ? "" : "s"), \(bytes) bytes"
  }
}
