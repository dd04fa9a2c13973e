/// Words in URLs that tell which version of an image they name.
enum VersionWords {
  /// Words in the name of a folder or file that name a version.
  static let any: Set<String> = words(
    """
    scaled thumb thumbs thumbnail thumbnails small medium large original originals full orig crop cropped preview \
    previews square resize resized fit fill max xxlarge xlarge xsmall th tn sm md lg xl xs xx xxl big hires lowres jpg \
    jpeg png webp avif format 4k hd fullxfull grande bmiddle thumbnailed fullsize midsize fullres highres smart unsafe \
    maxresdefault hqdefault mqdefault sddefault hq720 thickbox
    """)

  /// Words for the formats of images.
  static let formats: Set<String> = words("jpg jpeg png webp avif format")

  /// Words for versions that are smaller than the original.
  static let reduced: Set<String> = words(
    """
    thumb thumbs thumbnail thumbnails small preview previews th tn sm xs square lowres sample samples tiny mini
    """)

  /// Further words that name a version in the name of a folder.
  static let folders: Set<String> = words("size sizes resizes renditions styles")

  /// Words in the name of a folder that are followed by a size.
  static let dimensions: Set<String> = words("w h width height fit fill size")

  /// Such words in parts of a URL that consist of options only.
  static let optionDimensions: Set<String> = dimensions.union(
    words("resize rs s mw mh max wid hei thumbnail maxwidth maxheight width_max"))

  /// The order of the sizes that words name.
  static let ranks: [String: Int] = [
    "mini": 0, "tiny": 0, "thumb": 0, "thumbs": 0, "thumbnail": 0, "thumbnails": 0, "tn": 0,
    "xs": 0, "small": 1, "sm": 1, "preview": 1, "mqdefault": 1, "medium": 2, "md": 2,
    "bmiddle": 2, "hqdefault": 2, "large": 3, "big": 3, "lg": 3, "grande": 3, "sddefault": 3,
    "xlarge": 4, "xl": 4, "xxlarge": 5, "xxl": 5, "huge": 5, "hires": 5, "highres": 5,
    "hq720": 4, "maxresdefault": 5, "thickbox": 4, "orig": 6, "original": 6, "originals": 6,
    "web": 2, "print": 5, "full": 6, "fullsize": 6, "fullres": 6, "fullxfull": 6, "raw": 6,
  ]

  /// The order of the sizes that single letters, and pairs of them, name after the name of an image or in place
  /// of it.
  static let letterRanks: [String: Int] = [
    "t": 0, "xs": 0, "ss": 0, "s": 1, "n": 1, "ms": 1, "m": 2, "k": 2, "ls": 2, "l": 3, "b": 3,
    "h": 4, "xl": 4, "xxl": 5, "o": 6,
  ]

  /// Letters after the number of a photo, and the larger side of the version in pixels.
  static let letterSizes: [String: Int] = [
    "s": 75, "t": 100, "q": 150, "m": 240, "n": 320, "w": 400, "z": 640, "c": 800, "b": 1_024,
    "h": 1_600, "k": 2_048, "3k": 3_072, "4k": 4_096, "5k": 5_120, "6k": 6_144, "o": 20_000,
  ]

  /// The letters before a number of pixels in the name of a folder.
  static let sizePrefixes: Set<String> = words(
    "w h s mw max thumb square width height size orj sw sh rs px lw")

  /// Numbers that are widths of versions more often than numbers of things.
  static let commonWidths: Set<Int> = [
    100, 120, 128, 150, 160, 180, 200, 220, 240, 250, 256, 300, 320, 350, 360, 375, 400, 420, 450,
    480, 500, 512, 540, 560, 600, 620, 640, 660, 680, 700, 720, 750, 768, 800, 828, 840, 850, 900,
    940, 948, 960, 980, 1_000, 1_024, 1_080, 1_100, 1_152, 1_200, 1_242, 1_280, 1_300, 1_366,
    1_400, 1_440, 1_500, 1_536, 1_600, 1_680, 1_800, 1_920, 2_000, 2_048, 2_200, 2_400, 2_500,
    2_560, 2_880, 3_000, 3_200, 3_840, 4_000, 4_096, 5_000,
  ]

  static let sizeParameters: Set<String> = words(
    """
    w width h height imwidth imheight wid hei size sz resize fit maxwidth maxheight max-w max-h mw mh rect format \
    thumbnail sw sh rw rh im_w im_h imw imh maxw maxh max_w max_h max-width max-height max_width max_height downsize \
    downscale px imagewidth image_width img_width thumb_width targetwidth newwidth resizew side scale dimensions \
    geometry _ex
    """)
  static let heightParameters: Set<String> = words(
    "h height imheight hei maxheight max-h mh sh rh im_h imh maxh max_h max-height max_height")

  /// Parameters that tell something else about a version than its size, or who asks for it.
  static let versionParameters: Set<String> = words(
    """
    q quality v ver version auto fm fmt crop dpr s sig signature itok token ssl strip t ts thumb mode cb ixlib ixid \
    usm fl op stp name c p k
    """)

  /// Parameters that may name an image, also one of a program whose name ends like an image file.
  static let identityParameters: Set<String> = words(
    """
    id file filename img image image_id imageid img_id photo photoid pic picture src url uri path u i n no num number \
    item itemid product asset assetid uuid guid object objectid attachment aid pid fid gid mid media frame index set \
    part page pg code ref sku tile lat lon ll x y z hash date time
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }
}
