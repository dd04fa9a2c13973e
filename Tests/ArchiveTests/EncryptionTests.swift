import Archive
import ArchiveLibarchive
import ArchiveMessages
import ArchiveMinizip
import ArchiveSandbox
import CLibarchive
import Foundation
import Models
import RenderMessages
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// ZIP files with passwords, as the program opens them: by workers, libarchive where minizip cannot.
@Suite("Encrypted archives") struct EncryptionTests {
  private static let text = Array("The quick brown fox jumps over the lazy dog".utf8)
  private static let workers = ReadingWorkers(.archives())
  private static let adapters: [[ArchiveAdapter]] = [[.minizip, .libarchive], [.libarchive]]

  /// The program's reader with each choice of `adapters.archive`.
  private static func reader(_ order: [ArchiveAdapter]) -> any ArchiveReader {
    FormatRoutingReader(order.map { SandboxedArchiveReader($0, workers: workers) })
  }

  private func collect(
    _ path: String, _ password: String?, _ reader: any ArchiveReader
  ) throws(ArchiveError) -> [EntryCollector.Entry] {
    let collector = EntryCollector(goesOn: true)
    try GuardedArchiveReader(reader, policy: ArchivePolicy()).walk(
      path, password: password.flatMap { DocumentPassword($0) }, visitor: collector)
    for fault in collector.entries.compactMap(\.fault) { expectSentence(fault.detail) }
    return collector.entries
  }

  /// As libarchive encrypts.
  private func write(_ path: String, encryption: String, _ password: String) throws {
    try write(path, encryption: encryption, Array(password.utf8))
  }

  private func write(_ path: String, encryption: String, _ password: [UInt8]) throws {
    let archive = try #require(archive_write_new())
    defer { archive_write_free(archive) }
    #expect(archive_write_set_format_zip(archive) == ARCHIVE_OK)
    #expect(archive_write_set_options(archive, "zip:encryption=\(encryption)") == ARCHIVE_OK)
    let passphrase = (password + [0]).map { CChar(bitPattern: $0) }
    #expect(archive_write_set_passphrase(archive, passphrase) == ARCHIVE_OK)
    #expect(archive_write_open_filename(archive, path) == ARCHIVE_OK)
    let entry = try #require(archive_entry_new())
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, "secret.txt")
    archive_entry_set_size(entry, Int64(Self.text.count))
    archive_entry_set_filetype(entry, imgdl_file_type_regular())
    archive_entry_set_perm(entry, 0o644)
    #expect(archive_write_header(archive, entry) == ARCHIVE_OK)
    #expect(archive_write_data(archive, Self.text, Self.text.count) == Self.text.count)
    #expect(archive_write_close(archive) == ARCHIVE_OK)
  }

  @Test("open with the password in every encryption method", arguments: adapters)
  func password(_ order: [ArchiveAdapter]) throws {
    let folder = try TemporaryFolder()
    for encryption in ["traditional", "aes128", "aes256"] {
      let path = folder.path + "/\(encryption).zip"
      try write(path, encryption: encryption, "secret")
      let entries = try collect(path, "secret", Self.reader(order))
      #expect(entries.map(\.data) == [Self.text], "\(encryption)")
      #expect(entries.map(\.isWhole) == [true], "\(encryption)")
    }
  }

  /// As Python 3 encodes them.
  @Test(
    "open with the password in the encodings in which programs use it",
    arguments: [
      ("hällö", [0x68, 0x84, 0x6c, 0x6c, 0x94]),  // CP850, CP437
      ("hällö", [0x68, 0xe4, 0x6c, 0x6c, 0xf6]),  // windows-1252
      ("hällö", [0x68, 0x61, 0xcc, 0x88, 0x6c, 0x6c, 0x6f, 0xcc, 0x88]),  // NFD
      ("ha\u{308}llo\u{308}", [0x68, 0xc3, 0xa4, 0x6c, 0x6c, 0xc3, 0xb6]),  // NFC
      ("ha\u{308}llo\u{308}", [0x68, 0x84, 0x6c, 0x6c, 0x94]),
      ("Ó€", [0xd3, 0x80]), ("Ó", [0xe0]), ("Γ", [0xe2]),
      ("你好", [0xc4, 0xe3, 0xba, 0xc3]),  // GBK
      ("写真", [0x8e, 0xca, 0x90, 0x5e]),  // Shift-JIS
      ("你好", [0xa7, 0x41, 0xa6, 0x6e]),  // Big5
    ] as [(String, [UInt8])])
  func encodings(password: String, bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    for order in Self.adapters {
      for encryption in ["traditional", "aes256"] {
        let path = folder.path + "/\(encryption).zip"
        try write(path, encryption: encryption, bytes)
        let entries = try collect(path, password, Self.reader(order))
        #expect(entries.map(\.data) == [Self.text], "\(encryption)")
        let wrong = try collect(path, password + "x", Self.reader(order))
        #expect(wrong.map(\.fault?.code) == [.encrypted], "\(encryption)")
      }
    }
  }

  @Test(
    "report that the password is missing or wrong, and never deliver wrong bytes",
    arguments: adapters
  )
  func wrong(_ order: [ArchiveAdapter]) throws {
    let folder = try TemporaryFolder()
    for encryption in ["traditional", "aes128", "aes256"] {
      let path = folder.path + "/\(encryption).zip"
      try write(path, encryption: encryption, "secret")
      let none = try collect(path, nil, Self.reader(order))
      #expect(none.map(\.fault?.detail) == ["the entry needs a password"], "\(encryption)")
      // One of 256 wrong passwords passes the check of the traditional encryption.
      for number in 0..<300 where encryption == "traditional" || number < 3 {
        let entries = try collect(path, "wrong \(number)", Self.reader(order))
        #expect(entries.map(\.fault?.code) == [.encrypted], "\(encryption) \(number)")
        #expect(entries.map(\.isWhole) == [false])
      }
    }
  }

  @Test("may contain plain entries beside encrypted ones", arguments: adapters)
  func mixed(_ order: [ArchiveAdapter]) throws {
    let folder = try TemporaryFolder()
    let zip = ZipBuilder([
      .stored("plain", [1]), ZipBuilder.Entry.deflated("secret", Self.text).encrypted("secret"),
      .deflated("last", [2, 2]),
    ])
    let path = try folder.write("a.zip", zip.build())
    let without = try collect(path, nil, Self.reader(order))
    #expect(without.map(\.isWhole) == [true, false, true])
    let with = try collect(path, "secret", Self.reader(order))
    #expect(with.map(\.data) == [[1], Self.text, [2, 2]])
  }

  @Test("have no description that contains the password")
  func hidden() throws {
    let password = try #require(DocumentPassword("very secret"))
    let request = UnpackRequest(.libarchive, password)
    var dumped = ""
    dump(request, to: &dumped)
    for text in ["\(password)", "\(request)", String(reflecting: request), dumped] {
      #expect(!text.contains("very secret"), "\(text)")
    }
    let file = try FileSystem.open("/dev/null")
    let received = try UnpackRequest(request.frame(file))
    #expect(received == request)
    for text in ["", "a\0b", "a\nb", String(repeating: "x", count: 1_025)] {
      #expect(DocumentPassword(text) == nil)
    }
  }
}

/// 7z and RAR files with passwords, which libarchive lists and does not decrypt.
@Suite("Encrypted archives in unsupported methods") struct UndecryptableArchiveTests {
  /// One encrypted entry, or an encrypted directory. Only headers: no data was ever encrypted.
  private static let files: [(name: String, format: String, file: String)] = [
    (
      "an entry", "7z",
      "N3q8ryccAARFpXlVEAAAAAAAAAA0AAAAAAAAAETQY4sAAQIDBAUGBwgJCgsMDQ4PAQQGAAEJEAAHCwEAASQG8QcBAhMA"
        + "DAoACAoBAQAAAAAABQERDQAxAC4AcABuAGcAAAAAAA=="
    ),
    (
      "the directory", "7z",
      "N3q8ryccAATo2+EcIAAAAAAAAAAYAAAAAAAAAEpnZSMAAQIDBAUGBwgJCgsMDQ4PAAECAwQFBgcICQoLDA0ODxcGEAEJ"
        + "EAAHCwEAASQG8QcBAhMADBAAAA=="
    ),
    (
      "an entry", "RAR",
      "UmFyIRoHAM+QcwAADQAAAAAAAAASo3QEhC0AEAAAAAoAAAACAQAAAAAAACEdMwUAIAAAADEucG5nc2FsdHNhbHQAAQID"
        + "BAUGBwgJCgsMDQ4PxD17AEAHAA=="
    ),
    (
      "the directory", "RAR",
      "UmFyIRoHAM6Zc4AADQAAAAAAAABzYWx0c2FsdAABAgMEBQYHCAkKCwwNDg8AAQIDBAUGBwgJCgsMDQ4PAAECAwQFBgcI"
        + "CQoLDA0ODwABAgMEBQYHCAkKCwwNDg8="
    ),
  ]

  @Test(
    "are refused with an error that does not ask for a password, with and without one",
    arguments: [nil, "secret"])
  func unsupported(_ password: String?) throws {
    let folder = try TemporaryFolder()
    for (what, format, text) in Self.files {
      let bytes = try #require(Data(base64Encoded: text))
      let path = folder.path + "/file"
      try bytes.write(to: URL(filePath: path))
      let collector = EntryCollector(goesOn: true)
      var error: ArchiveError?
      do throws(ArchiveError) {
        try LibarchiveReader().walk(
          path, password: password.flatMap { DocumentPassword($0) }, visitor: collector)
      } catch let failure {
        error = failure
      }
      let fault = error ?? collector.entries.first?.fault
      #expect(fault?.code == .unsupported, "\(format), \(what): \(fault?.detail ?? "")")
      let sentence = "is encrypted; passwords of \(format) files are not supported"
      #expect(fault?.detail.contains(sentence) == true, "\(fault?.detail ?? "")")
    }
  }
}
