import TransportContracts
import Glibc
import Models
import Synchronization
import SystemCalls
import Testing
import Threading

@testable import TransportSocket

@Suite("The resolver's thread")
struct ResolverThreadTests {
  @Test("A query without a thread is answered at once, and the next one tries again")
  func refusedThread() throws {
    let attempts = Mutex(0)
    let resolver = try Resolver(NameOptions()) { _ throws(SystemError) in
      attempts.withLock { $0 += 1 }
      throw SystemError(errno: EAGAIN, call: "start the thread", path: "imgdl-names")
    }
    let answers = Mutex<[ResolveError?]>([])
    for name in ["a.test", "a.test", "b.test"] {
      resolver.resolve(AddressLookup(name: name, family: .v4)) { result in
        answers.withLock { answers in
          if case .failure(let error) = result {
            answers.append(error)
          } else {
            answers.append(nil)
          }
        }
      }
    }
    let error = ResolveError(
      .system, "cannot start the thread imgdl-names: Resource temporarily unavailable")
    #expect(answers.withLock { $0 } == [error, error, error])
    #expect(attempts.withLock { $0 } == 3)
    resolver.close()
  }
}
