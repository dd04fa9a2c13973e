import SystemCalls
import Transport

extension SinkError {
  init(_ error: SystemError) {
    self.init(disk: error.description, isFull: error.isDiskFull, isTooLarge: error.isTooLarge)
  }
}
