import ImgdlLibrary
import Models
import Persistence
import Rendering
import Screens
import Terminal

/// Decodes what is wanted, in worker processes, and lets go of what is not wanted any more.
actor PictureDesk {
  private let files: PictureFiles
  private let renderer: any Renderer
  private let inbox: Inbox
  private var wanted: [PictureKey] = []
  private var running: [PictureKey: Task<Void, Never>] = [:]
  private let width: Int
  private nonisolated let orders: AsyncStream<[PictureKey]>.Continuation
  private let orderStream: AsyncStream<[PictureKey]>

  /// - Parameter width: so many at the same time.
  init(_ files: PictureFiles, _ renderer: any Renderer, width: Int, inbox: Inbox) {
    self.files = files
    self.renderer = renderer
    self.width = max(1, width)
    self.inbox = inbox
    // An order that was overtaken by a later one is of no use.
    (orderStream, orders) = AsyncStream.makeStream(
      of: [PictureKey].self, bufferingPolicy: .bufferingNewest(1))
  }

  /// These and no others.
  nonisolated func want(_ keys: [PictureKey]) { orders.yield(keys) }

  func run() async {
    for await keys in orderStream {
      wanted = keys
      let kept = Set(keys)
      for (key, task) in running where !kept.contains(key) {
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
    await renderer.shutdown()
  }

  private func startNext() {
    for key in wanted where running.count < width && running[key] == nil {
      running[key] = Task { await self.decode(key) }
    }
  }

  private func decode(_ key: PictureKey) async {
    let answer: PictureAnswer
    do {
      let file = try await files.file(for: key)
      let result = try await renderer.render(
        RenderJob(path: file.path, page: file.page, sides: [key.side], quality: 0))
      answer = Pixels.answer(result, key)
    } catch let error as RenderError {
      answer = .problem(error.detail)
    } catch let error as PictureFiles.Missing {
      answer = .problem(error.reason)
    } catch is PictureFiles.Evicted {
      answer = .evicted
    } catch {
      answer = .problem("\(error)")
    }
    // Cancelled: another order has taken its place already, or it was put back into the line.
    guard !Task.isCancelled else { return }
    running[key] = nil
    wanted.removeAll { $0 == key }
    inbox.post(.picture(key, answer))
    startNext()
  }
}
