import Testing
@testable import Aria2

/// Calls that are refused.
@Suite struct RefusalTests {
  @Test(
    "wrong parameters are refused with aria2's messages",
    arguments: [
      ("aria2.addUri", "[]", "The parameter at 0 is required but missing."),
      ("aria2.addUri", "[[]]", "URI is not provided."),
      ("aria2.addUri", #"["http://a.example/f"]"#, "The parameter at 0 has wrong type."),
      ("aria2.addUri", "[[1]]", "The parameter at 0 has wrong type."),
      ("aria2.addUri", #"[["http://a.example/f"],[]]"#, "The parameter at 1 has wrong type."),
      ("aria2.addUri", #"[["http://a.example/f"],{},"1"]"#, "The parameter at 2 has wrong type."),
      (
        "aria2.addUri", #"[["http://a.example/f"],{},-1]"#,
        "Position must be greater than or equal to 0."
      ),
      ("aria2.addUri", #"[["ftp://a.example/f","nothing"]]"#, "No URI to download."),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"gid":"0"}]"#,
        "The option gid must be 16 hexadecimal digits, not all of them 0."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"gid":"0000000000000000"}]"#,
        "The option gid must be 16 hexadecimal digits, not all of them 0."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"gid":"0000000000000001"}]"#,
        "GID 0000000000000001 is already used."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"dir":"/etc"}]"#,
        "The option dir must be a folder below /library."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"dir":"/library/../etc"}]"#,
        "The option dir must be a folder below /library."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"dir":"/library/.imgdl"}]"#,
        "The option dir must be a folder below /library."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"dir":"/library2/a"}]"#,
        "The option dir must be a folder below /library."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"out":"../f"}]"#,
        "The option out must be a file name without a folder."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"header":["Host: b"]}]"#,
        "The field Host cannot be set."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"header":"nothing"}]"#,
        "The option header must be a field such as \"Name: value\"."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"max-download-limit":"fast"}]"#,
        "The option max-download-limit must be a number of bytes."
      ),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"checksum":"sha-256=12"}]"#,
        "The option checksum must be a digest such as sha-256= and 64 hexadecimal digits."
      ),
      ("aria2.addTorrent", #"["ZA=="]"#, "BitTorrent is not supported"),
      ("aria2.addMetalink", #"["?"]"#, "The parameter at 0 is not base64."),
      ("aria2.addMetalink", #"["PGE+PC9hPg=="]"#, "No files to download."),
      ("aria2.addMetalink", "[1]", "The parameter at 0 has wrong type."),
      ("aria2.addMetalink", "[]", "The parameter at 0 is required but missing."),
      ("aria2.tellStatus", "[]", "The parameter at 0 is required but missing."),
      ("aria2.tellStatus", #"["invalid gid"]"#, "Invalid GID invalid gid"),
      ("aria2.tellStatus", #"["0000000000000009"]"#, "GID 0000000000000009 is not found"),
      ("aria2.tellStatus", #"["000"]"#, "GID 000 is not unique"),
      ("aria2.tellWaiting", "[0]", "The parameter at 1 is required but missing."),
      ("aria2.tellStopped", #"["0",1]"#, "The parameter at 0 has wrong type."),
      ("aria2.pause", #"["0000000000000001"]"#, "GID#0000000000000001 cannot be paused now"),
      ("aria2.forcePause", #"["0000000000000001"]"#, "GID#0000000000000001 cannot be paused now"),
      ("aria2.unpause", #"["0000000000000003"]"#, "GID#0000000000000003 cannot be unpaused now"),
      (
        "aria2.remove", #"["0000000000000004"]"#,
        "Active Download not found for GID#0000000000000004"
      ),
      (
        "aria2.removeDownloadResult", #"["0000000000000001"]"#,
        "Could not remove download result of GID#0000000000000001"
      ),
      ("aria2.getServers", #"["0000000000000001"]"#, "No active download for GID#0000000000000001"),
      ("aria2.changePosition", #"["0000000000000001",0,"POS_X"]"#, "Illegal argument."),
      (
        "aria2.changePosition", #"["0000000000000003",0,"POS_SET"]"#,
        "GID#0000000000000003 not found in the waiting queue."
      ),
      ("aria2.changeUri", #"["0000000000000001",2,[],[]]"#, "fileIndex is out of range"),
      (
        "aria2.changeUri", #"["9",0,[],[]]"#,
        "The integer parameter at 1 has invalid value: "
          + "the value must be greater than or equal to 1."
      ),
      (
        "aria2.changeUri", #"["0000000000000001",1,[],[],-1]"#,
        "Position must be greater than or equal to 0."
      ),
      ("aria2.changeUri", #"["9",1,[],[],-1]"#, "GID 9 is not found"),
      ("aria2.changeUri", #"["9",1,[]]"#, "The parameter at 3 is required but missing."),
      ("aria2.changePosition", #"["9",0]"#, "The parameter at 2 is required but missing."),
      ("aria2.changeOption", #"["9"]"#, "The parameter at 1 is required but missing."),
      ("aria2.changeOption", #"["9",[]]"#, "The parameter at 1 has wrong type."),
      ("aria2.changeGlobalOption", "[]", "The parameter at 0 is required but missing."),
      ("aria2.tellStatus", #"["9","gid"]"#, "The parameter at 1 has wrong type."),
      (
        "aria2.tellWaiting", "[0,-1]",
        "The integer parameter at 1 has invalid value: "
          + "the value must be greater than or equal to 0."
      ),
      (
        "aria2.tellStopped", "[0,-1]",
        "The integer parameter at 1 has invalid value: "
          + "the value must be greater than or equal to 0."
      ),
      ("aria2.addUri", "[[],{},-1]", "URI is not provided."),
      ("aria2.addUri", #"[[],{},"0"]"#, "The parameter at 2 has wrong type."),
      (
        "aria2.addUri", #"[["x"],{"gid":"zz"},-1]"#,
        "Position must be greater than or equal to 0."
      ),
      ("aria2.addMetalink", #"["?",{},"0"]"#, "The parameter at 2 has wrong type."),
      (
        "aria2.addUri", #"[["http://a.example/f"],{"":"x"}]"#,
        #"The option "" has an invalid name or value."#
      ),
      (
        "aria2.changeUri", #"["0000000000000004",1,[],[]]"#,
        "Cannot remove URIs from GID#0000000000000004"
      ),
      (
        "aria2.changeOption", #"["0000000000000004",{}]"#,
        "Cannot change option for GID#0000000000000004"
      ),
      (
        "aria2.changeGlobalOption", #"[{"max-concurrent-downloads":"0"}]"#,
        "The option max-concurrent-downloads must be a whole number from 1 to 1024."
      ),
      (
        "aria2.changeGlobalOption", #"[{"dir":"/"}]"#,
        "The option dir must be a folder below /library."
      ),
    ])
  func refusing(method: String, parameters: String, message: String) throws {
    var fixture = try Fixture()
    // 1 and 2 are paused, 3 is active, 4 has been removed.
    try fixture.addPaused(2)
    try fixture.add(Fixture.three)
    try fixture.add("0000000000000004")
    _ = try fixture.call("aria2.remove", #"["0000000000000004"]"#)
    #expect(try fixture.call(method, parameters) == "error: \(message)")
  }
}
