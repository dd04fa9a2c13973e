import Rendering
import WorkerProcess

extension FrameWriter {
  mutating func append(_ options: SampleOptions) {
    append(options.mode.rawValue)
    append(Int64(options.side))
    append(options.onlyIfBigger)
    append(options.reducing.rawValue)
    append(options.enlarging.rawValue)
    append(options.codec.rawValue)
    append(Int64(options.quality))
    append(options.encoding.rawValue)
    append(Int64(options.minimumSide))
    append(optional: options.maximumArea) { $0.append(Int64($1)) }
    append(optional: options.maximumAspectRatio) { $0.append($1.bitPattern) }
    append(options.wantsEXIF)
    append(options.decodesScaled)
  }

  mutating func append(_ sample: SampleResult) {
    append(Int64(sample.imageWidth))
    append(Int64(sample.imageHeight))
    append(optional: sample.rejection) { $0.append($1.rawValue) }
    append(optional: sample.exif) { $0.append($1) }
  }
}

extension FrameReader {
  mutating func sampleOptions() throws(WorkerError) -> SampleOptions {
    var options = SampleOptions()
    options.mode = try choice()
    options.side = try int()
    options.onlyIfBigger = try bool()
    options.reducing = try choice()
    options.enlarging = try choice()
    options.codec = try choice()
    options.quality = try int()
    options.encoding = try choice()
    options.minimumSide = try int()
    options.maximumArea = try optional { (reader) throws(WorkerError) in try reader.int() }
    options.maximumAspectRatio = try optional { (reader) throws(WorkerError) in
      try reader.double()
    }
    options.wantsEXIF = try bool()
    options.decodesScaled = try bool()
    return options
  }

  mutating func sampleResult() throws(WorkerError) -> SampleResult {
    SampleResult(
      imageWidth: try int(), imageHeight: try int(),
      rejection: try optional { (reader) throws(WorkerError) in try reader.choice() },
      exif: try optional { (reader) throws(WorkerError) in try reader.string() })
  }

  private mutating func choice<Choice: RawRepresentable>() throws(WorkerError) -> Choice
  where Choice.RawValue == UInt8 {
    guard let choice = Choice(rawValue: try integer()) else {
      throw WorkerError(.malformed, "an unknown option of a sample")
    }
    return choice
  }
}
