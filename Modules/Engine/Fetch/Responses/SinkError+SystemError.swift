import SystemCalls
import Transport

extension SinkError {
  init(_ error: SystemError) {
    self.init(error.description, isDiskFull: error.isDiskFull)
  }
}
