import HTTP1
import Models
import Persistence
import Transport

/// The requests of an attempt.
extension Download {
  /// Returns a request for the whole file.
  func request(_ url: HTTPURL) -> TransportRequest {
    var request = TransportRequest(url, namedBy: requestOrigin, downloadContext.defaults)
    for field in job.requestFields.fields { request.fields.set(field.name, field.value) }
    request.limits.bytesPerSecond = bytesPerSecond
    request.permittedRedirects = source?.permittedRedirects
    request.isNamedByResponse = isNamedByResponse
    return request
  }

  /// Adds the range of what is missing, or the condition that the stored file is outdated.
  func addConditions(to request: inout TransportRequest, _ start: Start) {
    if start.priorBytes.byteCount > 0, start.priorBytes.continuation != .none {
      request.fields.set("Range", "bytes=\(start.priorBytes.byteCount)-")
      if case .sameVersion(let validator) = start.priorBytes.continuation {
        request.fields.set("If-Range", validator)
      }
    } else if start.priorBytes.isConditional, let existing = job.existing?.file.file.validator {
      request.fields.makeConditional(on: existing)
    }
  }
}
