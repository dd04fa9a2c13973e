import Composition
import Models
import Persistence
import Rendering
import Screens
import Terminal

/// Decodes the requested images in worker processes, and cancels the decoding of images that are no longer
/// requested.
actor ImageLoader {
  private let files: ImageFiles
  private let renderer: any Renderer
  private let inbox: Inbox
  private var wantedImages: [ImageKey] = []
  private var passwords: [ResourceID: DocumentPassword] = [:]
  private var running: [ImageKey: Task<Void, Never>] = [:]
  private let width: Int
  private nonisolated let orders: AsyncStream<ImageOrder>.Continuation
  private let orderStream: AsyncStream<ImageOrder>

  /// - Parameter width: The maximum number of images that are decoded at the same time.
  init(_ files: ImageFiles, _ renderer: any Renderer, width: Int, inbox: Inbox) {
    self.files = files
    self.renderer = renderer
    self.width = max(1, width)
    self.inbox = inbox
    // Each request replaces the earlier ones, so only the latest is kept.
    (orderStream, orders) = AsyncStream.makeStream(
      of: ImageOrder.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Requests the images of the order; images of earlier orders are no longer decoded.
  nonisolated func request(_ order: ImageOrder) { orders.yield(order) }

  func run() async {
    for await order in orderStream {
      let former = passwords
      (wantedImages, passwords) = (order.keys, order.passwords)
      let kept = Set(wantedImages)
      // An image whose password has changed is decoded again.
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
    for key in wantedImages where running.count < width && running[key] == nil {
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
    // A task is cancelled when it is removed from `running`; another task may decode the key by now.
    guard !Task.isCancelled else { return }
    running[key] = nil
    wantedImages.removeAll { $0 == key }
    inbox.post(.image(key, answer))
    startNext()
  }
}
