/// The ASCII characters that replace others on a terminal without Unicode.
enum ASCIIFallback {
  static func byte(for scalar: UInt32) -> UInt8 {
    switch scalar {
    case 0xa0: UInt8(ascii: " ")
    case 0xb7, 0x2022, 0x25cf: UInt8(ascii: "*")
    case 0xd7, 0x2715, 0x2717: UInt8(ascii: "x")
    case 0x2010...0x2015, 0x2212: UInt8(ascii: "-")
    case 0x2018, 0x2019: UInt8(ascii: "'")
    case 0x201c, 0x201d: UInt8(ascii: "\"")
    case 0x2026: UInt8(ascii: ".")
    case 0x2190, 0x25c0, 0x2039: UInt8(ascii: "<")
    case 0x2191, 0x25b2: UInt8(ascii: "^")
    case 0x2192, 0x25b6, 0x203a: UInt8(ascii: ">")
    case 0x2193, 0x25bc: UInt8(ascii: "v")
    case 0x2501, 0x2505, 0x2509, 0x2550, 0x2578, 0x257a: UInt8(ascii: "=")
    case 0x2500, 0x2504, 0x2508, 0x2574, 0x2576: UInt8(ascii: "-")
    case 0x2502, 0x2503, 0x2506, 0x2507, 0x250a, 0x250b, 0x2551: UInt8(ascii: "|")
    case 0x250c...0x254b, 0x2552...0x2570: UInt8(ascii: "+")
    case 0x2580...0x2590: UInt8(ascii: "#")
    case 0x2591: UInt8(ascii: ".")
    case 0x2592: UInt8(ascii: ":")
    case 0x2593, 0x25a0: UInt8(ascii: "#")
    case 0x2713, 0x2714: UInt8(ascii: "v")
    case 0x2800: UInt8(ascii: " ")
    case 0x2801...0x28ff: UInt8(ascii: ":")
    default: UInt8(ascii: "?")
    }
  }
}
