import SystemCalls

extension WorkerProgram {
  /// Returns the launch of the helper: `/dev/null` as standard input, `errors` (or the standard error of this
  /// process) as descriptors 1 and 2, and `socket` as descriptor 3.
  func launch(socket: OwnedDescriptor, errors: OwnedDescriptor?) -> ProcessLaunch {
    let messages = errors.map { ProcessLaunch.Stream.existing($0) } ?? .inherited(2)
    return ProcessLaunch(
      path: path, arguments: arguments, environment: environment,
      streams: [.none, messages, messages, .existing(socket)])
  }
}
