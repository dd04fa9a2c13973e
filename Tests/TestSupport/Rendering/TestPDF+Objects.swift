extension TestPDF {
  /// A document of objects numbered from 1; the first is its catalogue.
  public static func file(objects: [String]) -> [UInt8] {
    var text = "%PDF-1.7\n"
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for offset in offsets {
      text += String(repeating: "0", count: 10 - "\(offset)".count) + "\(offset) 00000 n \n"
    }
    text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
    return Array(text.utf8)
  }

  /// A document of one page.
  /// - Parameters:
  ///   - resources: of the page, as `/XObject << /F 5 0 R >>`.
  ///   - others: objects from number 5 on.
  public static func page(
    _ content: String, side: Int = 100, resources: String = "", others: [String] = []
  ) -> [UInt8] {
    file(
      objects: [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(side) \(side)] /Resources << \(resources) >> "
          + "/Contents 4 0 R >>",
        stream(content),
      ] + others)
  }

  /// - Parameter entries: of its dictionary, but for the length.
  public static func stream(_ content: String, _ entries: String = "") -> String {
    "<< \(entries) /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream"
  }
}
