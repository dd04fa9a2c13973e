import Dispatch

/// A timer with a queue of its own, because the cooperative pool may be busy for longer than a frame lasts.
enum FrameTimer {
  private static let queue = DispatchQueue(label: "imgdl.alarm", qos: .userInteractive)

  static func ring(after seconds: Double, _ action: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + seconds, execute: action)
  }
}
