import Composition
import DatasetWorker
import Datasets
import Models
import ProgramSupport
import SystemCalls
import Threading

/// The command `worker`: makes shards of a dataset for a driver, which writes requests to standard input and
/// reads reports from standard output.
enum WorkerCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    EarlySignals.restoreDefault()
    let services = try await DatasetServices(context.settings)
    let worker = ShardWorker(
      ShardWorker.Services(
        transport: services.transport, renderer: services.renderer,
        rendererWidth: services.rendererWidth, maximumTransfers: services.maximumTransfers,
        retries: RetryPolicy(context.settings.network)))
    let result = try await BlockingThread.run("imgdl-shards") {
      Result { () throws(ShardError) in
        try worker.serve(input: OwnedDescriptor(0), output: OwnedDescriptor(1))
      }
    }
    await services.shutDown()
    switch result {
    case .success: return .success
    case .failure(let error):
      context.console.printError(Console.escaped(error.description))
      return error.exitCode
    }
  }
}

extension ShardError {
  fileprivate var exitCode: ExitCode {
    switch self {
    case .malformed: .badShard
    case .failed: .retryShard
    }
  }
}
