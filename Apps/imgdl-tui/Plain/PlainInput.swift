import SystemCalls
import Terminal
import Threading

/// Reads standard input line by line. A line is read only when it is requested, so that a password is not
/// interpreted as a command, or a command as a password.
struct PlainInput {
  private let isTerminal = Machine.isTerminal(0)

  /// The answer to a question for a password.
  enum Secret: Sendable, Equatable {
    case text(String)
    /// An empty line, or the end of the input.
    case nothing
    /// The user pressed Ctrl-C. The program ends, as after Ctrl-C at any other moment.
    case interrupted
  }

  /// Returns the next line, or nil at the end of the input.
  func readLine() async -> String? {
    // Reading blocks a thread. `readLine` reads ahead into one buffer, which all threads share.
    (try? await BlockingThread.run("plain-input") { Swift.readLine() }) ?? nil
  }

  /// Asks for a password. A terminal does not echo it; without a terminal, the next line is the password.
  /// - Parameter question: The question. Without a terminal, it is printed on a line of its own.
  func secret(_ question: String) async throws -> Secret {
    guard isTerminal else {
      PlainText.printLine(question)
      return await readLine().map { $0.isEmpty ? .nothing : .text($0) } ?? .nothing
    }
    switch try await SecretPrompt.readAnswer(PlainText.safe(question) + " ") {
    case .line(let text): return text.isEmpty ? .nothing : .text(text)
    case .nothing: return .nothing
    case .interrupted: return .interrupted
    }
  }
}
