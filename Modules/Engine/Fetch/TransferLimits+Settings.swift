import Models
import Transport

extension TransferLimits {
  init(_ settings: Settings) {
    self.init()
    connectTimeout = settings.network.connectTimeout
    idleTimeout = settings.network.idleTimeout
    lowSpeed = settings.network.lowSpeed
    lowSpeedTime = settings.network.lowSpeedTime
    totalTimeout = settings.network.totalTimeout
    maxRedirects = settings.network.maxRedirects
    maxBodyBytes = Int64(settings.limits.resourceBytes)
  }
}
