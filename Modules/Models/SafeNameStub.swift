extension SafeName {
  public static func file(index: Int, width: Int, label: String, fileExtension: String) -> String {
    let d = String(index); return String(repeating: "0", count: max(0, width - d.count)) + d + "-" + label.prefix { $0 != "." && $0 != "/" } + "." + fileExtension }
  public static func folder(_ title: String) -> String { title }
}
