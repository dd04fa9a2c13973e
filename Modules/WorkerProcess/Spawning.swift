import SystemCalls

extension WorkerProgram {
  /// How it is started: `/dev/null` as input, `errors` (or our standard error) as descriptors 1 and
  /// 2, `socket` as descriptor 3.
  func launch(socket: OwnedDescriptor, errors: OwnedDescriptor?) -> ProcessLaunch {
    let messages = errors.map { ProcessLaunch.Stream.given($0) } ?? .inherited(2)
    return ProcessLaunch(
      path: path, arguments: arguments, environment: environment,
      streams: [.none, messages, messages, .given(socket)])
  }
}
