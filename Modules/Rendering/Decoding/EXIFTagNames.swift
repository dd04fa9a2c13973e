/// The names of the tags in ExifRead 3.0.1, which differ from the names in EXIF 2.3 for some tags.
enum EXIFTagNames {
  /// The directory that a tag points to.
  struct Directory {
    /// The prefix of the names of its tags.
    let name: String
    let tags: [Int: String]
  }

  /// The directories that are read wherever a tag points to one. The EXIF directory is not among them: it is
  /// read last, and only if a tag of the image points to it.
  static let directories = [
    0x8825: Directory(name: "GPS", tags: gps),
    0xa005: Directory(name: "Interoperability", tags: interoperability),
  ]

  /// The tag that points to the EXIF directory.
  static let exifOffset = 0x8769

  /// XMP, maker notes and user comments, which ExifRead ignores with `details=False`.
  static let ignored: Set = [0x02bc, 0x927c, 0x9286]

  /// The tags whose values are characters.
  static let characters: Set = [0x011d, 0x9000, 0x9c9d, 0xa000]

  /// The tags of an image, a thumbnail and the EXIF directory.
  static let image: [Int: String] = [
    0x00fe: "SubfileType", 0x00ff: "OldSubfileType", 0x0100: "ImageWidth", 0x0101: "ImageLength",
    0x0102: "BitsPerSample", 0x0103: "Compression", 0x0106: "PhotometricInterpretation",
    0x0107: "Thresholding", 0x0108: "CellWidth", 0x0109: "CellLength", 0x010a: "FillOrder",
    0x010d: "DocumentName", 0x010e: "ImageDescription", 0x010f: "Make", 0x0110: "Model",
    0x0111: "StripOffsets", 0x0112: "Orientation", 0x0115: "SamplesPerPixel",
    0x0116: "RowsPerStrip", 0x0117: "StripByteCounts", 0x0118: "MinSampleValue",
    0x0119: "MaxSampleValue", 0x011a: "XResolution", 0x011b: "YResolution",
    0x011c: "PlanarConfiguration", 0x011d: "PageName", 0x011e: "XPosition", 0x011f: "YPosition",
    0x0122: "GrayResponseUnit", 0x0123: "GrayResponseCurve", 0x0124: "T4Options",
    0x0125: "T6Options", 0x0128: "ResolutionUnit", 0x0129: "PageNumber",
    0x012c: "ColorResponseUnit", 0x012d: "TransferFunction", 0x0131: "Software", 0x0132: "DateTime",
    0x013b: "Artist", 0x013c: "HostComputer", 0x013d: "Predictor", 0x013e: "WhitePoint",
    0x013f: "PrimaryChromaticities", 0x0140: "ColorMap", 0x0141: "HalftoneHints",
    0x0142: "TileWidth", 0x0143: "TileLength", 0x0144: "TileOffsets", 0x0145: "TileByteCounts",
    0x0146: "BadFaxLines", 0x0147: "CleanFaxData", 0x0148: "ConsecutiveBadFaxLines",
    0x014a: "SubIFDs", 0x014c: "InkSet", 0x014d: "InkNames", 0x014e: "NumberofInks",
    0x0150: "DotRange", 0x0151: "TargetPrinter", 0x0152: "ExtraSamples", 0x0153: "SampleFormat",
    0x0154: "SMinSampleValue", 0x0155: "SMaxSampleValue", 0x0156: "TransferRange",
    0x0157: "ClipPath", 0x015b: "JPEGTables", 0x0200: "JPEGProc", 0x0201: "JPEGInterchangeFormat",
    0x0202: "JPEGInterchangeFormatLength", 0x0211: "YCbCrCoefficients", 0x0212: "YCbCrSubSampling",
    0x0213: "YCbCrPositioning", 0x0214: "ReferenceBlackWhite", 0x02bc: "ApplicationNotes",
    0x4746: "Rating", 0x828d: "CFARepeatPatternDim", 0x828e: "CFAPattern", 0x828f: "BatteryLevel",
    0x8298: "Copyright", 0x829a: "ExposureTime", 0x829d: "FNumber", 0x83bb: "IPTC/NAA",
    0x8769: "ExifOffset", 0x8773: "InterColorProfile", 0x8822: "ExposureProgram",
    0x8824: "SpectralSensitivity", 0x8825: "GPSInfo", 0x8827: "ISOSpeedRatings", 0x8828: "OECF",
    0x8829: "Interlace", 0x882a: "TimeZoneOffset", 0x882b: "SelfTimerMode",
    0x8830: "SensitivityType", 0x8832: "RecommendedExposureIndex", 0x8833: "ISOSpeed",
    0x9000: "ExifVersion", 0x9003: "DateTimeOriginal", 0x9004: "DateTimeDigitized",
    0x9010: "OffsetTime", 0x9011: "OffsetTimeOriginal", 0x9012: "OffsetTimeDigitized",
    0x9101: "ComponentsConfiguration", 0x9102: "CompressedBitsPerPixel",
    0x9201: "ShutterSpeedValue", 0x9202: "ApertureValue", 0x9203: "BrightnessValue",
    0x9204: "ExposureBiasValue", 0x9205: "MaxApertureValue", 0x9206: "SubjectDistance",
    0x9207: "MeteringMode", 0x9208: "LightSource", 0x9209: "Flash", 0x920a: "FocalLength",
    0x920b: "FlashEnergy", 0x920c: "SpatialFrequencyResponse", 0x920d: "Noise",
    0x9211: "ImageNumber", 0x9212: "SecurityClassification", 0x9213: "ImageHistory",
    0x9214: "SubjectArea", 0x9215: "ExposureIndex", 0x9216: "TIFF/EPStandardID",
    0x927c: "MakerNote", 0x9286: "UserComment", 0x9290: "SubSecTime", 0x9291: "SubSecTimeOriginal",
    0x9292: "SubSecTimeDigitized", 0x9c9b: "XPTitle", 0x9c9c: "XPComment", 0x9c9d: "XPAuthor",
    0x9c9e: "XPKeywords", 0x9c9f: "XPSubject", 0xa000: "FlashPixVersion", 0xa001: "ColorSpace",
    0xa002: "ExifImageWidth", 0xa003: "ExifImageLength", 0xa004: "RelatedSoundFile",
    0xa005: "InteroperabilityOffset", 0xa20b: "FlashEnergy", 0xa20c: "SpatialFrequencyResponse",
    0xa20e: "FocalPlaneXResolution", 0xa20f: "FocalPlaneYResolution",
    0xa210: "FocalPlaneResolutionUnit", 0xa214: "SubjectLocation", 0xa215: "ExposureIndex",
    0xa217: "SensingMethod", 0xa300: "FileSource", 0xa301: "SceneType", 0xa302: "CVAPattern",
    0xa401: "CustomRendered", 0xa402: "ExposureMode", 0xa403: "WhiteBalance",
    0xa404: "DigitalZoomRatio", 0xa405: "FocalLengthIn35mmFilm", 0xa406: "SceneCaptureType",
    0xa407: "GainControl", 0xa408: "Contrast", 0xa409: "Saturation", 0xa40a: "Sharpness",
    0xa40b: "DeviceSettingDescription", 0xa40c: "SubjectDistanceRange", 0xa420: "ImageUniqueID",
    0xa430: "CameraOwnerName", 0xa431: "BodySerialNumber", 0xa432: "LensSpecification",
    0xa433: "LensMake", 0xa434: "LensModel", 0xa435: "LensSerialNumber", 0xa500: "Gamma",
    0xc4a5: "PrintIM", 0xc61a: "BlackLevel", 0xea1c: "Padding", 0xea1d: "OffsetSchema",
    0xfde8: "OwnerName", 0xfde9: "SerialNumber",
  ]

  private static let gps: [Int: String] = [
    0x0000: "GPSVersionID", 0x0001: "GPSLatitudeRef", 0x0002: "GPSLatitude",
    0x0003: "GPSLongitudeRef", 0x0004: "GPSLongitude", 0x0005: "GPSAltitudeRef",
    0x0006: "GPSAltitude", 0x0007: "GPSTimeStamp", 0x0008: "GPSSatellites", 0x0009: "GPSStatus",
    0x000a: "GPSMeasureMode", 0x000b: "GPSDOP", 0x000c: "GPSSpeedRef", 0x000d: "GPSSpeed",
    0x000e: "GPSTrackRef", 0x000f: "GPSTrack", 0x0010: "GPSImgDirectionRef",
    0x0011: "GPSImgDirection", 0x0012: "GPSMapDatum", 0x0013: "GPSDestLatitudeRef",
    0x0014: "GPSDestLatitude", 0x0015: "GPSDestLongitudeRef", 0x0016: "GPSDestLongitude",
    0x0017: "GPSDestBearingRef", 0x0018: "GPSDestBearing", 0x0019: "GPSDestDistanceRef",
    0x001a: "GPSDestDistance", 0x001b: "GPSProcessingMethod", 0x001c: "GPSAreaInformation",
    0x001d: "GPSDate", 0x001e: "GPSDifferential",
  ]

  private static let interoperability: [Int: String] = [
    0x0001: "InteroperabilityIndex", 0x0002: "InteroperabilityVersion",
    0x1000: "RelatedImageFileFormat", 0x1001: "RelatedImageWidth", 0x1002: "RelatedImageLength",
  ]
}
