import Models
import Testing

@Suite("Addresses with ports")
struct IPEndpointTests {
  @Test("Both families are read with and without a port")
  func forms() {
    for (text, expected) in [
      ("192.0.2.1", "192.0.2.1:53"), ("192.0.2.1:5353", "192.0.2.1:5353"),
      ("2001:db8::1", "[2001:db8::1]:53"), ("[2001:db8::1]", "[2001:db8::1]:53"),
      ("[2001:db8::1]:1", "[2001:db8::1]:1"), ("192.0.2.1:65535", "192.0.2.1:65535"),
    ] {
      #expect(IPEndpoint(text, defaultPort: 53)?.description == expected)
    }
  }

  @Test(
    "Names, bad ports and loose brackets are refused",
    arguments: [
      "", ":", "dns.example", "dns.example:53", "192.0.2.1:", "192.0.2.1:0", "192.0.2.1:65536",
      "192.0.2.1:+5", "192.0.2.1:5x", "[192.0.2.1]:53", "[::1", "::1]", "[::1]x", "[::1]:",
      "[::1]:53:53", "1.2.3.4.5", "[]", "[]:53",
    ])
  func bad(text: String) {
    #expect(IPEndpoint(text, defaultPort: 53) == nil)
  }
}
