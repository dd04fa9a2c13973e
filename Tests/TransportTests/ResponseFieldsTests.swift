import Models
import Testing

@testable import TransportURLSession

@Suite struct ResponseFieldsTests {
  private func length(_ pairs: KeyValuePairs<String, String>, status: Int = 200) -> String? {
    guard case .success(let fields) = ResponseFields.checked(status: status, HTTPFields(pairs))
    else { return nil }
    return fields["Content-Length"] ?? "none"
  }

  @Test("one length, or the same one repeated, is a length")
  func lengths() {
    #expect(length(["Content-Length": "12"]) == "12")
    #expect(length(["Content-Length": "12, 12"]) == "12")
    #expect(length(["Content-Length": "0"]) == "0")
    #expect(length([:]) == "none")
    #expect(length(["Transfer-Encoding": "Chunked"]) == "none")
  }

  @Test(
    "an invalid length, or different lengths, are refused",
    arguments: ["", "1, 2", "+1", "-1", "1x", "0x1", "1,", "99999999999999999999", "1 1"])
  func badLengths(text: String) {
    #expect(length(["Content-Length": text]) == nil)
  }

  @Test("a coding overrides a length; an unknown coding and an interim status are refused")
  func codings() {
    #expect(length(["Content-Length": "1", "Transfer-Encoding": "chunked"]) == "none")
    #expect(length(["Content-Length": "1", "Transfer-Encoding": "identity"]) == "1")
    #expect(length(["Transfer-Encoding": "chunked, identity"]) == "none")
    #expect(length(["Transfer-Encoding": "gzip"]) == nil)
    #expect(length(["Transfer-Encoding": "chunked", "transfer-encoding": "chunked"]) == "none")
    #expect(length([:], status: 101) == nil)
  }
}

@Suite struct ProcessSocketsTests {
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F90 0100007F:0050 01 00000000:00000000 00:00000000 00000000  0  0 11 1 0 20 4
       1: 0100007F:1F91 0100007F:0051 02 00000000:00000000 00:00000000 00000000  0  0 12 1 0 20 4
       2: 0100007F:1F92 0100007F:0052 01 00000000:00000000 00:00000000 00000000  0  0 99 1 0 20 4
       3: 0100007F:1F93 0100007F:0051 01 00000000:00000000 00:00000000 00000000  0  0 13 1 0 20 4
       4: broken
    """

  @Test("a port is connected when one of the process's sockets is, and none is still trying")
  func ports() {
    let sockets = ProcessSockets(table: Self.table, own: ["11", "12", "13"])
    #expect(sockets.isConnected(port: 0x50))
    #expect(!sockets.isConnected(port: 0x51))
    #expect(!sockets.isConnected(port: 0x52))
    #expect(sockets.connecting == [0x51])
  }

  @Test("a process that does not exist has no sockets")
  func missingProcess() {
    #expect(!ProcessSockets(of: -1).isConnected(port: 80))
  }

  @Test("a body that libcurl has decoded has neither a coding nor a length, and is not continued")
  func decoded() {
    let coded = HTTPFields([
      "Content-Encoding": "gzip, BR", "Content-Length": "9", "ETag": "\"a\"", "X": "y",
    ])
    let fields = ResponseFields.decoded(coded)
    #expect(fields["Content-Encoding"] == nil && fields["Content-Length"] == nil)
    #expect(fields["ETag"] == "W/\"a\"" && fields["X"] == "y")
    let dated = HTTPFields(["Content-Encoding": "gzip", "Last-Modified": "yesterday"])
    #expect(ResponseFields.decoded(dated)["Last-Modified"] == nil)
    let unknown = HTTPFields(["Content-Encoding": "gzip, rot13", "Content-Length": "9"])
    #expect(ResponseFields.decoded(unknown) == unknown)
  }
}
