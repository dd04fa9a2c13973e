import Models
import Testing

@Suite("Limits of a record") struct RecordLimitTests {
  private func record(_ title: String, folder: String) -> Record {
    Record(id: RecordID(1), source: SourceID(1), title: title, folder: folder)
  }

  @Test("count for the record of that folder or title, and for no other")
  func named() throws {
    var settings = Settings()
    try SettingsSchema.set(
      "records.birds.limits.imagePixels", to: .text("500000000"), in: &settings)
    try SettingsSchema.set("records.v1.0 (2).limits.archiveBytes", to: .text("8G"), in: &settings)
    #expect(settings.limits(for: record("x", folder: "birds")).imagePixels == 500_000_000)
    #expect(settings.limits(for: record("birds", folder: "birds (2)")).imagePixels == 500_000_000)
    #expect(settings.limits(for: record("bees", folder: "bees")) == settings.limits)
    #expect(settings.limits(for: record("v1.0 (2)", folder: "v")).archiveBytes == 8 << 30)
  }

  @Test("the last one of a key counts")
  func last() throws {
    var settings = Settings()
    for pages in [3, 4] {
      try SettingsSchema.set("records.a.limits.pdfPages", to: .integer(pages), in: &settings)
    }
    #expect(settings.recordLimits.count == 1)
    #expect(settings.limits(for: record("a", folder: "a")).pdfPages == 4)
  }

  @Test(
    "are limits, of a known name and a good value",
    arguments: [
      ("records.a.limits.imageSize", SettingValue.integer(1)),
      ("records.a.limits.imageSide", .integer(0)), ("records.a.limits.imageSide", .text("wide")),
      ("records.a.network.retries", .integer(1)), ("records..limits.imageSide", .integer(1)),
      ("records.limits.imageSide", .integer(1)),
    ])
  func bad(_ name: String, _ value: SettingValue) {
    var settings = Settings()
    #expect(throws: SettingError.self) { try SettingsSchema.set(name, to: value, in: &settings) }
  }
}
