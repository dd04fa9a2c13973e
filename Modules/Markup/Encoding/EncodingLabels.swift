/// The labels of the WHATWG Encoding Standard, section 4.2, in lower case and without punctuation.
enum EncodingLabels {
  static let encodings: [String: DocumentEncoding] = {
    var encodings: [String: DocumentEncoding] = [:]
    for (encoding, labels) in fixed + converted.map({ (.converted($0), $1) }) {
      for label in labels.split(separator: " ") { encodings[String(label)] = encoding }
    }
    return encodings
  }()

  /// The iconv names of all encodings that `TextConversion` converts by iconv.
  static var iconvNames: [String] { converted.map(\.0) }

  private static let fixed: [(DocumentEncoding, String)] = [
    (.utf8, "utf8 unicode11utf8 unicode20utf8 xunicode20utf8"),
    (.utf16(isBigEndian: true), "utf16be unicodefffe"),
    (
      .utf16(isBigEndian: false),
      "utf16 utf16le csunicode iso10646ucs2 ucs2 unicode unicodefeff"
    ),
    (
      .windows1252,
      "windows1252 cp1252 xcp1252 iso88591 iso885911987 isoir100 l1 latin1 csisolatin1 ascii usascii "
        + "ansix341968 cp819 ibm819"
    ),
  ]

  private static let converted: [(String, String)] = [
    ("CP866", "866 cp866 csibm866 ibm866"),
    ("ISO-8859-2", "iso88592 iso885921987 isoir101 l2 latin2 csisolatin2"),
    ("ISO-8859-3", "iso88593 iso885931988 isoir109 l3 latin3 csisolatin3"),
    ("ISO-8859-4", "iso88594 iso885941988 isoir110 l4 latin4 csisolatin4"),
    ("ISO-8859-5", "iso88595 iso885951988 isoir144 cyrillic csisolatincyrillic"),
    (
      "ISO-8859-6",
      "iso88596 iso885961987 iso88596e iso88596i isoir127 arabic asmo708 csiso88596e csiso88596i "
        + "csisolatinarabic ecma114"
    ),
    (
      "ISO-8859-7",
      "iso88597 iso885971987 isoir126 greek greek8 csisolatingreek ecma118 elot928 suneugreek"
    ),
    (
      "ISO-8859-8",
      "iso88598 iso885981988 iso88598e iso88598i isoir138 hebrew visual logical csiso88598e "
        + "csiso88598i csisolatinhebrew"
    ),
    ("ISO-8859-10", "iso885910 isoir157 l6 latin6 csisolatin6"),
    ("ISO-8859-13", "iso885913"),
    ("ISO-8859-14", "iso885914"),
    ("ISO-8859-15", "iso885915 l9 csisolatin9"),
    ("ISO-8859-16", "iso885916"),
    ("KOI8-R", "koi8r koi8 koi cskoi8r"),
    ("KOI8-U", "koi8u koi8ru"),
    ("MACINTOSH", "macintosh mac xmacroman csmacintosh"),
    ("CP874", "windows874 dos874 iso885911 tis620"),
    ("CP1250", "windows1250 cp1250 xcp1250"),
    ("CP1251", "windows1251 cp1251 xcp1251"),
    ("CP1253", "windows1253 cp1253 xcp1253"),
    (
      "CP1254",
      "windows1254 cp1254 xcp1254 iso88599 iso885991989 isoir148 l5 latin5 csisolatin5"
    ),
    ("CP1255", "windows1255 cp1255 xcp1255"),
    ("CP1256", "windows1256 cp1256 xcp1256"),
    ("CP1257", "windows1257 cp1257 xcp1257"),
    ("CP1258", "windows1258 cp1258 xcp1258"),
    ("MAC-UK", "xmaccyrillic xmacukrainian"),
    (
      "GB18030",
      "gbk gb18030 gb2312 gb231280 chinese csgb2312 csiso58gb231280 isoir58 xgbk"
    ),
    ("BIG5-HKSCS", "big5 big5hkscs cnbig5 csbig5 xxbig5"),
    ("EUC-JP-MS", "eucjp xeucjp cseucpkdfmtjapanese"),
    ("ISO-2022-JP-2", "iso2022jp csiso2022jp"),
    ("CP932", "shiftjis sjis xsjis ms932 mskanji csshiftjis windows31j"),
    (
      "UHC",
      "euckr cseuckr csksc56011987 isoir149 korean ksc56011987 ksc56011989 ksc5601 windows949"
    ),
  ]
}
