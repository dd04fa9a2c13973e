import Models
import RequestSigning
import Transport

/// Signs the requests to the S3 services that the setting `s3.endpoints` names.
struct BucketSigning: RequestSigner {
  private let signatures: [HTTPURL.Origin: RequestSignature]

  /// The region of a service of which neither the setting, its host nor the environment names one, as with
  /// the tools of AWS for services of others.
  private static let standardRegion = "us-east-1"

  /// Reads the access key from the file of the settings, or else from the variables of AWS's tools.
  /// - Returns: nil if the settings name no service.
  /// - Throws: An error that names the setting, and never a key.
  init?(_ settings: Settings.S3, environment: [String: String]) throws(SettingError) {
    guard !settings.endpoints.isEmpty else { return nil }
    let credentials = try Self.credentials(settings.credentialsFile, environment)
    let region = try Self.region(environment)
    var signatures: [HTTPURL.Origin: RequestSignature] = [:]
    for text in settings.endpoints {
      let endpoint: SigningEndpoint
      do throws(SigningEndpointError) {
        endpoint = try SigningEndpoint(text)
      } catch {
        throw SettingError("s3.endpoints: \"\(CredentialMask.masked(text))\": \(error)")
      }
      signatures[endpoint.origin] = RequestSignature(
        credentials, region: endpoint.region ?? region ?? Self.standardRegion)
    }
    self.signatures = signatures
  }

  func signature(of url: HTTPURL, _ fields: HTTPFields, at time: Int64) -> HTTPFields? {
    signatures[url.origin]?.fields(for: url, fields, at: time)
  }

  private static func credentials(
    _ path: String, _ environment: [String: String]
  ) throws(SettingError) -> SigningCredentials {
    let profile = value("AWS_PROFILE", environment) ?? "default"
    if !path.isEmpty {
      let text = try CredentialFiles.text(of: path, "s3.credentialsFile")
      do throws(SharedCredentialsError) {
        if let known = try SharedCredentialsFile(text).credentials(of: profile) { return known }
      } catch {
        throw SettingError("s3.credentialsFile: \(path):\(error.line): \(error.reason)")
      }
      throw SettingError(
        "s3.credentialsFile: \(path) has no valid access key in the profile \"\(profile)\"")
    }
    guard let id = value("AWS_ACCESS_KEY_ID", environment),
      let secret = value("AWS_SECRET_ACCESS_KEY", environment)
    else {
      throw SettingError(
        "s3.endpoints: there is no access key; set s3.credentialsFile, or AWS_ACCESS_KEY_ID and "
          + "AWS_SECRET_ACCESS_KEY in the environment")
    }
    let known = SigningCredentials(
      accessKeyID: id, secretAccessKey: secret,
      sessionToken: value("AWS_SESSION_TOKEN", environment))
    guard let known else {
      throw SettingError(
        "s3.endpoints: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or AWS_SESSION_TOKEN has characters that a "
          + "key cannot have")
    }
    return known
  }

  private static func region(_ environment: [String: String]) throws(SettingError) -> String? {
    guard
      let region = value("AWS_REGION", environment) ?? value("AWS_DEFAULT_REGION", environment)
    else { return nil }
    guard SigningEndpoint.isRegion(region) else {
      throw SettingError("s3.endpoints: AWS_REGION or AWS_DEFAULT_REGION is not a region")
    }
    return region
  }

  private static func value(_ name: String, _ environment: [String: String]) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
