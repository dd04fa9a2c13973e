import Models
import Testing
import Transport

@Suite("Address policy")
struct AddressPolicyTests {
  @Test(
    "Addresses that do not belong to one host on the internet are not public",
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1",
      "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8",
      "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7",
      "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
      "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "64:ff9b::127.0.0.1",
      "64:ff9b::a00:1", "64:ff9b:1::808:808", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::",
      "2002:a00:1::1", "3fff::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1",
      "ff02::1", "5f00::1", "4000::1",
    ])
  func special(_ text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(!address.isPublic)
    #expect(!AddressPolicy.publicOnly.allows(address))
    #expect(AddressPolicy.any.allows(address))
  }

  @Test(
    "Ordinary addresses are public",
    arguments: [
      "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
      "126.255.255.255", "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0",
      "192.167.255.255", "192.169.0.0", "223.255.255.255", "2606:4700::1111", "2a00::1",
      "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
    ])
  func ordinary(_ text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(AddressPolicy.publicOnly.allows(address))
  }

  @Test(
    "A text that is not the normal spelling of an address is a name",
    arguments: [
      "11::1:-0:-0", "", "1", "127.1", "0x7f.0.0.1", "0177.0.0.1", "1.2.3.4.5", "1.2.3.256",
      "1.2.3.", "+1.2.3.4",
      ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::12345", "::+1",
      "fe80::1%eth0",
      "1.2.3.4::", "::1.2.3", "1:2:3:4:5:6:7::8", "g::", "1:", ":1",
    ])
  func notAddresses(_ text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(
    "An address is written in its usual form",
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("0:0:0:0:0:0:0:1", "::1"), ("::", "::"),
      ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:0:2:0:3:0:4:0", "1:0:2:0:3:0:4:0"),
      ("1::", "1::"), ("::ffff:1.2.3.4", "::ffff:102:304"), ("a:b:c:d:e:f:0:0", "a:b:c:d:e:f::"),
    ])
  func description(_ text: String, _ expected: String) throws {
    let address = try #require(IPAddress(text))
    #expect("\(address)" == expected)
    #expect(IPAddress(bytes: address.bytes) == address)
  }
}
