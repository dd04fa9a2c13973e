import CommandLine

/// `doctor`: what this machine has for imgdl, and what it lacks.
enum DoctorCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode { .done }
}
