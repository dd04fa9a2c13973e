import SystemCalls
import Terminal
import Threading

/// Standard input by lines. Each line is read only when it is requested, so that a password is not taken for
/// a command, nor a command for a password.
struct PlainInput {
  private let isTerminal = Machine.isTerminal(0)

  /// The answer to a question for a password.
  enum Secret: Sendable, Equatable {
    case text(String)
    /// An empty line, or the end of the input.
    case nothing
    /// Ctrl-C: the program ends, as it does at every other moment.
    case interrupted
  }

  /// - Returns: nil at the end of the input.
  func line() async -> String? {
    // Standard input blocks; readLine keeps what it has read ahead of the line in one buffer for all threads.
    (try? await BlockingThread.run("plain-input") { readLine() }) ?? nil
  }

  /// Asks for a password: on a terminal without an echo, elsewhere it is the next line.
  /// - Parameter question: shown as a line of its own where there is no terminal.
  func secret(_ question: String) async throws -> Secret {
    guard isTerminal else {
      PlainText.printLine(question)
      return await line().map { $0.isEmpty ? .nothing : .text($0) } ?? .nothing
    }
    switch try await SecretPrompt.readAnswer(PlainText.safe(question) + " ") {
    case .line(let text): return text.isEmpty ? .nothing : .text(text)
    case .nothing: return .nothing
    case .interrupted: return .interrupted
    }
  }
}
