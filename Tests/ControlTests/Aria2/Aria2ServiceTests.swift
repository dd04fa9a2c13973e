import Aria2
import LibraryAPI
import Models
import SystemCalls
import Testing
import TestSupport
@testable import Control

/// The performer of the machine's actions, and what it keeps for the next start.
@Suite(.timeLimit(.minutes(60))) struct Aria2ServiceTests {
  private let folder: TemporaryFolder
  private let library = FakeAria2Library()
  private let clock = ManualClock()
  private let events = Watched<[Aria2Event]>([])

  init() throws {
    folder = try TemporaryFolder()
    try FileSystem.makeFolders(folder.path + "/.imgdl")
  }

  private var sessionPath: String { folder.path + "/.imgdl/aria2.session" }

  private func sessionText() throws -> String {
    String(decoding: try FileSystem.contents(of: sessionPath), as: UTF8.self)
  }

  private func service(
    secret: String? = nil, allowing origins: [String] = []
  ) throws -> Aria2Service {
    let events = events
    let options = Aria2Interface(
      secret: secret, allowedOrigins: origins, version: "0.1", downloads: FakeDownloads()
    ) { event in events.update { $0.append(event) } }
    return try Aria2Service(options, root: folder.path, library: library, clock: clock)
  }

  private func call(_ service: Aria2Service, _ method: String, _ parameters: String) async -> String
  {
    let text = #"{"id":1,"method":"aria2.\#(method)","params":[\#(parameters)]}"#
    let reply = await service.reply(to: Array(text.utf8), from: .request(bearer: nil))
    return String(decoding: reply.body, as: UTF8.self)
  }

  @Test("the resource for a URI that was replaced meanwhile is discarded")
  func replacedURI() async throws {
    let service = try service()
    await service.start(MemoryLibrary())
    library.isOpen.update { $0 = false }
    let gid = #""0000000000000001""#
    _ = await call(service, "addUri", #"["http://a.example/1"],{"gid":\#(gid)}"#)
    try await library.calls.until { $0 == ["add http://a.example/1"] }
    let change = #"\#(gid),1,["http://a.example/1"],["http://a.example/2"]"#
    #expect(await call(service, "changeUri", change).contains("[1,1]"))
    library.isOpen.update { $0 = true }
    try await library.calls.until { $0.count == 4 }
    #expect(
      library.calls.value == [
        "add http://a.example/1", "discard 1", "add http://a.example/2", "start 2",
      ])
    await service.stop()
  }

  @Test("the limit of the library is that of the service, also when another client changes it")
  func concurrency() async throws {
    let service = try service()
    let memory = MemoryLibrary()
    try await memory.setConcurrency(2)
    await service.start(memory)
    #expect(await call(service, "getGlobalOption", "").contains(#""max-concurrent-downloads":"2""#))
    try await memory.setConcurrency(7)
    let next = #""max-concurrent-downloads":"7""#
    while await !call(service, "getGlobalOption", "").contains(next) { await Task.yield() }
    await service.stop()
  }

  @Test("a call after the end of the service is refused, because it would not be saved")
  func stopped() async throws {
    let service = try service()
    await service.start(MemoryLibrary())
    await service.stop()
    let reply = await call(service, "addUri", #"["http://a.example/1"]"#)
    #expect(reply.contains("The server is stopping.") && !reply.contains("result"))
    #expect(library.calls.value == [])
  }

  @Test("the documents of a batch are read first, and then its calls are performed in their order")
  func metalinkBatch() async throws {
    let service = try service()
    await service.start(MemoryLibrary())
    library.readsMetalinks.update { $0 = false }
    let first = #"{"id":1,"method":"aria2.addUri","params":[["http://a.example/1"]]}"#
    let metalinks = [("2", "YWE="), ("3", "YmFk"), ("4", "YWE="), ("5", "?")].map { id, document in
      #"{"id":\#(id),"method":"aria2.addMetalink","params":["\#(document)"]}"#
    }
    let batch = "[" + ([first] + metalinks).joined(separator: ",") + "]"
    async let answer = service.reply(to: Array(batch.utf8), from: .request(bearer: nil))
    try await library.calls.until { $0 == ["read aa"] }
    // Another client is served meanwhile, and nothing of the batch has been done.
    #expect(await call(service, "getGlobalStat", "").contains(#""numActive":"0""#))
    library.readsMetalinks.update { $0 = true }
    let text = String(decoding: await answer.body, as: UTF8.self)
    let ids = text.matches(of: /"id":(\d)/).compactMap { $0.output.1 }
    #expect(ids == ["1", "2", "3", "4", "5"])
    for (id, message) in [
      ("3", "It is not well-formed."), ("5", "The parameter at 0 is not base64."),
    ] {
      let error = #"{"code":1,"message":"\#(message)"}"#
      #expect(text.contains(#""id":\#(id),"jsonrpc":"2.0","error":\#(error)"#))
    }
    try await library.calls.until { $0.filter { $0.hasPrefix("start") }.count == 3 }
    #expect(library.calls.value.prefix(2) == ["read aa", "read bad"])
    #expect(
      library.calls.value.filter { $0.hasPrefix("add") } == [
        "add http://a.example/1", "add http://m.example/aa", "add http://m.example/aa",
      ])
    #expect(events.value == [.problem("another file has no URL")])
    await service.stop()
  }

  @Test("a service that stops meanwhile performs no call of the message")
  func metalinkAtTheEnd() async throws {
    let service = try service()
    await service.start(MemoryLibrary())
    library.readsMetalinks.update { $0 = false }
    async let answer = call(service, "addMetalink", #""YWE=""#)
    try await library.calls.until { $0 == ["read aa"] }
    await service.stop()
    library.readsMetalinks.update { $0 = true }
    #expect(await answer.contains("The server is stopping."))
    #expect(library.calls.value == ["read aa"])
  }

  @Test("no document is read for a client without the secret")
  func metalinkOfStranger() async throws {
    let service = try service(secret: "s3cret")
    let text = #"{"id":1,"method":"aria2.addMetalink","params":["token:x","YWE="]}"#
    async let answer = service.reply(to: Array(text.utf8), from: .request(bearer: nil))
    try await clock.untilSomeoneSleeps(for: Aria2RefusalDelays.seconds)
    clock.advance(by: Aria2RefusalDelays.seconds)
    #expect(await answer.wasRefused && library.calls.value.isEmpty)
    await service.stop()
  }

  @Test("allowed origins need a secret")
  func originsWithoutSecret() throws {
    #expect {
      try service(allowing: ["http://a.example"])
    } throws: {
      ($0 as? ControlError)?.code == .badValue
    }
    _ = try service(secret: "s", allowing: ["http://a.example"])
  }

  @Test("entries of the session that cannot be used are kept in a file, once")
  func rejectedEntries() async throws {
    let bad = "http://a.example/secret\n gid=00000000000000ab\n dir=/elsewhere\n"
    let good = "http://b.example/\n gid=00000000000000ac\n pause=true\n"
    let file = Aria2SessionFile(libraryRoot: folder.path)
    for _ in 0..<2 {
      try file.write(bad + good)
      let service = try service()
      await service.stop()
      #expect(try sessionText() == good)
    }
    let kept = try FileSystem.contents(of: sessionPath + ".rejected")
    #expect(String(decoding: kept, as: UTF8.self) == bad)
    #expect(try FileSystem.status(sessionPath + ".rejected").mode & 0o777 == 0o600)
    let problems = events.value.map { "\($0)" }
    #expect(problems.contains { $0.contains("aria2.session.rejected") })
    #expect(problems.contains { $0.contains("00000000000000ab") })
    #expect(!problems.contains { $0.contains("a.example") })
  }

  @Test(
    "a client is answered when the session file has the change, and calls that wait are written together"
  )
  func promptSave() async throws {
    let service = try service()
    await service.start(MemoryLibrary())
    let pause = #""pause":"true""#
    _ = await call(
      service, "addUri", #"["http://a.example/1"],{"gid":"0000000000000001",\#(pause)}"#)
    #expect(try sessionText() == "http://a.example/1\n gid=0000000000000001\n pause=true\n")
    await withTaskGroup(of: Void.self) { group in
      for number in 2...9 {
        let gid = "000000000000000\(number)"
        group.addTask { [self] in
          _ = await call(
            service, "addUri", #"["http://a.example/\#(number)"],{"gid":"\#(gid)",\#(pause)}"#)
        }
      }
    }
    #expect(try sessionText().matches(of: /gid=/).count == 9)
    _ = await call(service, "remove", #""0000000000000001""#)
    #expect(try !sessionText().contains("0000000000000001"))
    await service.stop()
  }

  @Test("a resource that was created before the process was killed is that of its download")
  func earlierResource() async throws {
    let file = Aria2SessionFile(libraryRoot: folder.path)
    try file.write(
      """
      http://a.example/1
       gid=0000000000000001
      http://a.example/1
       gid=0000000000000002
      http://a.example/2
       gid=0000000000000003
      # imgdl-resource 41
      http://a.example/3
       gid=0000000000000004

      """)
    library.earlier.update {
      $0 = [
        "http://a.example/1": [ResourceID(40), ResourceID(41), ResourceID(42)],
        "http://a.example/4": [ResourceID(43)],
      ]
    }
    let service = try service()
    await service.start(MemoryLibrary())
    try await library.calls.until { $0.filter { $0.hasPrefix("start") }.count >= 4 }
    // A new download of the same URI is another one.
    _ = await call(service, "addUri", #"["http://a.example/4"],{"gid":"0000000000000005"}"#)
    try await library.calls.until { $0.filter { $0.hasPrefix("start") }.count >= 5 }
    await service.stop()
    let added = library.calls.value.filter { $0.hasPrefix("add") }
    #expect(added == ["add http://a.example/3", "add http://a.example/4"])
    #expect(library.calls.value.contains("start 40") && library.calls.value.contains("start 42"))
  }

  @Test("a failed save is tried again after a minute")
  func failedSave() throws {
    var machine = try Aria2Machine(
      .init(root: folder.path, seed: 1, sessionID: "", version: ""))
    _ = machine.load(InputFile("http://a.example/\n pause=true\n"))
    var writer = Aria2SessionWriter(Aria2SessionFile(libraryRoot: folder.path)) { _ in }
    #expect(writer.isBehind(machine) && writer.isDue(machine, now: 5))
    // A folder with a file in it is in the way of the temporary file.
    let obstacle = sessionPath + ".new"
    try FileSystem.makeFolders(obstacle + "/folder")
    #expect(writer.save(machine, now: 10) != nil)
    #expect(writer.isBehind(machine) && !writer.isDue(machine, now: 69))
    #expect(writer.isDue(machine, now: 70))
    try FileSystem.removeTree(obstacle)
    #expect(writer.save(machine, now: 70) == nil)
    #expect(!writer.isBehind(machine) && !writer.isDue(machine, now: 1_000))
  }

  @Test(
    "after a failed write, each call that changes something has an error until a write succeeds")
  func failedWrites() async throws {
    let service = try service()
    await service.start(MemoryLibrary())
    let obstacle = sessionPath + ".new"
    try FileSystem.makeFolders(obstacle + "/folder")
    let error = #""error":{"code":1,"message":"Failed to serialize session to '\#(sessionPath)'"#
    func add(_ number: Int) async -> String {
      let gid = #"{"gid":"000000000000000\#(number)","pause":"true"}"#
      return await call(service, "addUri", #"["http://a.example/\#(number)"],\#(gid)"#)
    }
    for number in 1...2 { #expect(await add(number).contains("\(error): ")) }
    #expect(await call(service, "saveSession", "").contains("\(error). "))
    // Calls that change nothing are answered, and each call of a message has its own answer.
    #expect(await call(service, "tellWaiting", "0,9").contains("0000000000000002"))
    let remove = #""params":["0000000000000002"]}"#
    let multicall = """
      {"id":7,"method":"system.multicall","params":[[\
      {"methodName":"aria2.getVersion"},{"methodName":"aria2.saveSession"},\
      {"methodName":"aria2.remove",\(remove)]]}
      """
    let batch = #"[{"id":"r","method":"aria2.remove",\#(remove),\#(multicall)]"#
    let reply = await service.reply(to: Array(batch.utf8), from: .request(bearer: nil))
    let text = String(decoding: reply.body, as: UTF8.self)
    #expect(reply.httpStatus == 200 && text.contains(#"{"id":"r","jsonrpc":"2.0",\#(error): "#))
    #expect(text.contains(#"{"id":7,"jsonrpc":"2.0","result":[[{"enabledFeatures":"#))
    #expect(text.contains(#"}],{"code":1,"message":"Failed to serialize"#))
    // The second call has changed nothing.
    #expect(text.hasSuffix(#""Active Download not found for GID#0000000000000002"}]}]"#))
    let problems = events.value.filter { if case .problem = $0 { true } else { false } }
    #expect(problems.count == 1)
    try FileSystem.removeTree(obstacle)
    #expect(await add(3).contains(#""result":"0000000000000003""#))
    let written = try sessionText()
    #expect(written.matches(of: /gid=/).count == 2 && written.contains("gid=0000000000000001"))
    await service.stop()
  }

  @Test("a copy of the session that cannot be written is an error of saveSession only")
  func failedCopy() async throws {
    let service = try service()
    await service.start(MemoryLibrary())
    let path = folder.path + "/mine.txt"
    try FileSystem.replace(path, with: "mine")
    _ = await call(service, "changeGlobalOption", #"{"save-session":"mine.txt"}"#)
    let batch =
      #"[{"id":1,"method":"aria2.addUri","params":[["http://a.example/"],{"pause":"true"}]},"#
      + #"{"id":2,"method":"aria2.saveSession"}]"#
    let reply = await service.reply(to: Array(batch.utf8), from: .request(bearer: nil))
    let text = String(decoding: reply.body, as: UTF8.self)
    #expect(text.contains(#"{"id":1,"jsonrpc":"2.0","result":"#))
    #expect(
      text.contains(
        #"{"id":2,"jsonrpc":"2.0","error":{"code":1,"message":"Failed to serialize session to '\#(path)'."#
      ))
    await service.stop()
  }

  @Test("while eight clients without the secret wait, no other secret is compared")
  func guesses() async throws {
    let service = try service(secret: "s3cret")
    let known = SocketLoop.SocketID(token: 1)
    let other = SocketLoop.SocketID(token: 2)
    for id in [known, other] { await service.connect(id, isGranted: false) {} }
    let right = Array(#"{"id":1,"method":"aria2.saveSession","params":["token:s3cret"]}"#.utf8)
    #expect(await service.reply(to: right, from: .socket(known)).httpStatus == 200)
    let wrong = Array(#"{"id":1,"method":"aria2.saveSession","params":["token:x"]}"#.utf8)
    let waiting = (0..<Aria2RefusalDelays.limit).map { _ in
      Task { await service.reply(to: wrong, from: .request(bearer: nil)).httpStatus }
    }
    try await events.until { $0.count == Aria2RefusalDelays.limit }
    for client in [Aria2Service.Client.request(bearer: "s3cret"), .socket(other)] {
      #expect(await service.reply(to: right, from: client).httpStatus == 503)
    }
    #expect(await service.admit(bearer: "s3cret") == .busy)
    // A client that has shown the secret before is served.
    #expect(await service.reply(to: right, from: .socket(known)).httpStatus == 200)
    clock.advance(by: Aria2RefusalDelays.seconds)
    for task in waiting { #expect(await task.value == 400) }
    #expect(await service.reply(to: right, from: .socket(other)).httpStatus == 200)
    await service.stop()
  }
}
