import ProgramSupport
import Terminal

/// Prompts for a password on the terminal, without an echo.
enum PasswordQuestion {
  /// - Parameter question: The text of the prompt, in which names of files must be escaped.
  /// - Returns: The answer; nil for a process without a terminal, and for Ctrl-D.
  static func prompt(_ question: String) async throws -> String? {
    do throws(TerminalError) {
      switch try await SecretPrompt.readAnswer(question) {
      case .line(let text): return text
      case .nothing: return nil
      case .interrupted: break
      }
    } catch {
      guard error.code == .noTerminal else { throw error }
      return nil
    }
    throw ProgramFailure(.interrupted, "interrupted")
  }
}
