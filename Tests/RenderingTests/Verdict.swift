import Models
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport

/// What the workers make of a file, in one line that can be compared: `picture png 32 × 32`, or the
/// code and the words of the refusal, or of the damage of a part of a picture.
struct Verdict: Sendable, Equatable, CustomStringConvertible {
  let description: String
  /// The worker itself came to grief: it crashed, hung or lied.
  let isWorkerFailure: Bool
  let isPicture: Bool

  init(_ outcome: Result<RenderResult, RenderError>) {
    switch outcome {
    case .success(let result):
      let info = result.info
      let extras =
        (info.pageCount > 1 ? ", \(info.pageCount) pages" : "") + (info.hasAlpha ? ", alpha" : "")
        + (info.isAnimated ? ", animated" : "")
      let damage = result.damage.map { ", \($0.code.rawValue): \($0.detail)" } ?? ""
      description =
        (result.damage == nil ? "picture" : "part of a picture")
        + " \(info.format.rawValue) \(info.width) × \(info.height)\(extras)\(damage)"
        + (result.remark.map { ", remark: \($0)" } ?? "")
      (isWorkerFailure, isPicture) = (false, true)
    case .failure(let error):
      description = "\(error.code.rawValue): \(error.detail)"
      (isWorkerFailure, isPicture) = (error.code == .worker, false)
    }
  }

  /// Renders the first page of each file, all at the same time.
  static func all(
    of files: [String], side: Int = 128, by renderer: WorkerPoolRenderer
  ) async -> [String: Verdict] {
    await withTaskGroup(of: (String, Verdict).self) { group in
      for path in files {
        group.addTask {
          do throws(RenderError) {
            let result = try await renderer.render(RenderJob(path: path, sides: [side]))
            return (path, Verdict(.success(result)))
          } catch {
            return (path, Verdict(.failure(error)))
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}
