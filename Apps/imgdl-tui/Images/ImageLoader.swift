import Composition
import Models
import Persistence
import Rendering
import Screens
import Terminal

/// Decodes what is wanted, in worker processes, and lets go of what is not wanted any more.
actor ImageLoader {
  private let files: ImageFiles
  private let renderer: any Renderer
  private let inbox: Inbox
  private var wanted: [ImageKey] = []
  private var passwords: [ResourceID: DocumentPassword] = [:]
  private var running: [ImageKey: Task<Void, Never>] = [:]
  private let width: Int
  private nonisolated let orders: AsyncStream<ImageOrder>.Continuation
  private let orderStream: AsyncStream<ImageOrder>

  /// - Parameter width: so many at the same time.
  init(_ files: ImageFiles, _ renderer: any Renderer, width: Int, inbox: Inbox) {
    self.files = files
    self.renderer = renderer
    self.width = max(1, width)
    self.inbox = inbox
    // An order that was overtaken by a later one is of no use.
    (orderStream, orders) = AsyncStream.makeStream(
      of: ImageOrder.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// These and no others.
  nonisolated func want(_ order: ImageOrder) { orders.yield(order) }

  func run() async {
    for await order in orderStream {
      let former = passwords
      (wanted, passwords) = (order.keys, order.passwords)
      let kept = Set(wanted)
      // With another password, or with one at last, it may end in another way.
      for (key, task) in running
      where !kept.contains(key) || former[key.resource] != passwords[key.resource] {
        task.cancel()
        running[key] = nil
      }
      startNext()
    }
  }

  func close() async {
    orders.finish()
    for task in running.values { task.cancel() }
    running = [:]
    passwords = [:]
    await renderer.shutdown()
  }

  private func startNext() {
    for key in wanted where running.count < width && running[key] == nil {
      running[key] = Task { await self.decode(key) }
    }
  }

  private func decode(_ key: ImageKey) async {
    let answer: ImageAnswer
    do {
      let file = try await files.file(for: key, passwords[key.resource])
      var job = RenderJob(path: file.path, page: file.page, sides: [key.side], quality: 0)
      job.password = file.password
      answer = Pixels.makeAnswer(try await renderer.render(job), key)
    } catch let error as RenderError {
      answer = error.code == .encrypted ? .encrypted(error.detail) : .problem(error.detail)
    } catch let error as ImageFiles.Missing {
      answer = .problem(error.reason)
    } catch is ImageFiles.Evicted {
      answer = .evicted
    } catch {
      answer = .problem("\(error)")
    }
    // Cancelled: another order has taken its place already, or it was put back into the line.
    guard !Task.isCancelled else { return }
    running[key] = nil
    wanted.removeAll { $0 == key }
    inbox.post(.image(key, answer))
    startNext()
  }
}
