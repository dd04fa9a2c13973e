import COpenSSL
import Foundation

/// Issues certificates for tests, made on the spot.
///
/// `@unchecked`: the C handles are not changed after `init`.
final class TestAuthority: @unchecked Sendable {
  struct Failure: Error { let call: String }

  fileprivate let key: OpaquePointer
  fileprivate let certificate: OpaquePointer
  /// Where the authority's own certificate lies as PEM, for `SocketOptions.authorities`.
  let path: String

  /// - Parameters:
  ///   - issuer: an authority above this one.
  ///   - isAuthority: false for one that only acts as if.
  init(
    _ name: String = "imgdl test authority", issuer: TestAuthority? = nil, isAuthority: Bool = true
  ) throws {
    key = try Self.makeKey()
    certificate = try Self.makeCertificate(
      subject: name, key: key, issuer: issuer?.certificate, issuerKey: issuer?.key ?? key,
      names: nil, isAuthority: isAuthority, validFrom: -3_600, validFor: 7_200)
    path = NSTemporaryDirectory() + "imgdl-authority-\(UUID().uuidString).pem"
    guard let file = BIO_new_file(path, "w") else { throw Failure(call: "BIO_new_file") }
    defer { BIO_free(file) }
    guard PEM_write_bio_X509(file, certificate) == 1 else { throw Failure(call: "PEM_write") }
  }

  deinit {
    unlink(path)
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  /// A certificate for a server.
  /// - Parameters:
  ///   - names: as in OpenSSL's configuration, `DNS:localhost,IP:127.0.0.1`; nil for none at all.
  ///   - validFrom: seconds from now.
  ///   - isSelfSigned: the authority has nothing to do with it.
  func issue(
    names: String?, commonName: String = "imgdl test server", validFrom: Int = -3_600,
    validFor: Int = 7_200, isSelfSigned: Bool = false
  ) throws -> TestIdentity {
    let serverKey = try Self.makeKey()
    let made = try Self.makeCertificate(
      subject: commonName, key: serverKey, issuer: isSelfSigned ? nil : certificate,
      issuerKey: isSelfSigned ? serverKey : key, names: names, isAuthority: false,
      validFrom: validFrom, validFor: validFor)
    return TestIdentity(key: serverKey, certificate: made)
  }

  private static func makeKey() throws -> OpaquePointer {
    guard let context = EVP_PKEY_CTX_new_id(NID_ED25519, nil) else {
      throw Failure(call: "EVP_PKEY_CTX_new_id")
    }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_keygen(context, &key) == 1, let key else {
      throw Failure(call: "EVP_PKEY_keygen")
    }
    return key
  }

  private static func makeCertificate(
    subject: String, key: OpaquePointer, issuer: OpaquePointer?, issuerKey: OpaquePointer,
    names: String?, isAuthority: Bool, validFrom: Int, validFor: Int
  ) throws -> OpaquePointer {
    guard let made = X509_new() else { throw Failure(call: "X509_new") }
    X509_set_version(made, 2)
    ASN1_INTEGER_set(X509_get_serialNumber(made), Int.random(in: 1..<1 << 40))
    X509_gmtime_adj(X509_getm_notBefore(made), validFrom)
    X509_gmtime_adj(X509_getm_notAfter(made), validFrom + validFor)
    X509_set_pubkey(made, key)
    let name = X509_get_subject_name(made)
    let text = Array(subject.utf8)
    X509_NAME_add_entry_by_txt(name, "CN", 0x1001, text, Int32(text.count), -1, 0)
    X509_set_issuer_name(made, issuer.map { X509_get_subject_name($0) } ?? name)
    if isAuthority { try add(NID_basic_constraints, "critical,CA:TRUE", to: made) }
    if let names { try add(NID_subject_alt_name, names, to: made) }
    guard X509_sign(made, issuerKey, nil) > 0 else { throw Failure(call: "X509_sign") }
    return made
  }

  private static func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) throws {
    guard let made = X509V3_EXT_conf_nid(nil, nil, kind, value) else {
      throw Failure(call: "X509V3_EXT_conf_nid")
    }
    defer { X509_EXTENSION_free(made) }
    X509_add_ext(certificate, made, -1)
  }
}

/// A certificate with its key. `@unchecked`: the C handles are not changed after `init`.
final class TestIdentity: @unchecked Sendable {
  fileprivate let key: OpaquePointer
  fileprivate let certificate: OpaquePointer

  fileprivate init(key: OpaquePointer, certificate: OpaquePointer) {
    self.key = key
    self.certificate = certificate
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  func install(in context: OpaquePointer) -> Bool {
    SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1
  }

  /// As PEM: the certificate, then its key.
  func write(to path: String) throws {
    guard let file = BIO_new_file(path, "w") else {
      throw TestAuthority.Failure(call: "BIO_new_file")
    }
    defer { BIO_free(file) }
    guard PEM_write_bio_X509(file, certificate) == 1,
      PEM_write_bio_PrivateKey(file, key, nil, nil, 0, nil, nil) == 1
    else { throw TestAuthority.Failure(call: "PEM_write") }
  }
}
