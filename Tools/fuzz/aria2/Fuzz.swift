import JSON
import Models

/// Messages of a hostile client to a machine with some downloads, and input files. Every message has an answer
/// that is JSON, and a client without the secret changes nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard
    var machine = try? Aria2Machine(
      .init(root: "/library", seed: 1, sessionID: "0", version: "0"),
      options: [("max-concurrent-downloads", "1")])
  else { return 0 }
  _ = machine.load(
    InputFile("http://a.example/1\n gid=0000000000000001\nhttp://a.example/2\n pause=true\n"))
  _ = machine.takeActions()
  let before = machine.sessionText
  let message = ClientMessage(input)
  let stranger = RPCAuthority(isGranted: false) { _ in false }
  demand(message.metalinkDocuments(for: stranger).isEmpty, "nothing is read for a stranger")
  let refused = machine.handle(message, stranger)
  demand((try? JSONValue(parsing: refused.body, .strict)) != nil, "an answer in JSON")
  demand(!refused.wasAuthorised && machine.takeActions().isEmpty, "nothing is done")
  demand(machine.sessionText == before, "nothing has changed")
  let client = RPCAuthority(isGranted: true)
  let documents = message.metalinkDocuments(for: client)
  demand(documents.count <= MetalinkDocument.limit, "a bounded number of documents")
  var contents = MetalinkContents()
  for document in documents {
    // The bytes of the document are the name of its only file.
    let name = String(decoding: document.bytes, as: UTF8.self)
    contents.add(
      [MetalinkFile(name: name, uris: ["http://a.example/f"])], problems: [], of: document)
  }
  let reply = machine.handle(message, client, contents)
  demand((try? JSONValue(parsing: reply.body, .strict)) != nil, "an answer in JSON")
  demand([200, 400, 404, 500].contains(reply.httpStatus), "a known status")
  for case .start(let order) in machine.takeActions() {
    demand(!order.record.split(separator: "/").contains(".."), "a folder below the library")
    demand(!order.record.hasPrefix("/") && !order.record.hasPrefix("."), "a folder of the user")
    demand(!(order.fileName ?? "").contains("/"), "a name without a folder")
  }
  checkSession(machine)
  let text = String(decoding: input, as: UTF8.self)
  var other = machine
  _ = other.load(InputFile(text))
  checkSession(other)
  _ = ServerArguments(fileText: text)
  return 0
}

/// A session file restores the same downloads in the next machine.
private func checkSession(_ machine: Aria2Machine) {
  guard
    var next = try? Aria2Machine(
      .init(root: "/library", seed: 2, sessionID: "0", version: "0"),
      options: [("max-concurrent-downloads", "1")])
  else { return }
  let text = machine.sessionText
  _ = next.load(InputFile(text, isSession: true))
  let lines = { (text: String) in text.split(separator: "\n").filter { $0.hasPrefix(" gid=") }.count
  }
  demand(lines(next.sessionText) == lines(text), "every download is continued")
}
