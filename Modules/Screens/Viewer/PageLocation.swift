/// The position of the viewer in a record: an image, and a page of the image. Callers pass page counts, which
/// are known only for loaded images.
struct PageLocation: Sendable {
  /// The index of the image in the record.
  private(set) var index: Int
  /// The index of the page in the image.
  private(set) var page = 0
  /// The number of images in the record.
  private(set) var count: Int
  /// Whether the last page of the image is to be shown once its page count is known, after stepping back from
  /// the first page of the next image.
  private var wantsLastPage = false

  init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// Adapts the position to images that the store has delivered.
  /// - Parameter pageCount: Returns the page count of an image, or nil if it is unknown.
  mutating func receive(count total: Int, pageCount: (Int) -> Int?) {
    count = total
    index = min(index, max(0, total - 1))
    let pages = pageCount(index)
    if wantsLastPage, let pages {
      page = max(1, pages) - 1
      wantsLastPage = false
    }
    page = min(page, max(1, pages ?? 1) - 1)
  }

  /// Sets the index of the current image after that index has changed within the record.
  mutating func correct(index new: Int) { index = new }

  /// Moves to an image.
  /// - Returns: Whether the page has changed.
  mutating func move(to image: Int) -> Bool {
    let target = min(max(0, image), max(0, count - 1))
    guard target != index || page != 0 else { return false }
    show(target, page: 0)
    return true
  }

  /// Moves to the next page or image.
  /// - Parameter pageCount: The page count of the current image, or nil if it is unknown.
  /// - Returns: Whether the page has changed.
  mutating func advance(pageCount: Int?) -> Bool {
    if page + 1 < max(1, pageCount ?? 1) {
      show(index, page: page + 1)
      return true
    }
    return index + 1 < count && move(to: index + 1)
  }

  /// Moves to the previous page or image.
  /// - Returns: Whether the page has changed.
  mutating func goBack(pageCount: (Int) -> Int?) -> Bool {
    if page > 0 {
      show(index, page: page - 1)
      return true
    }
    guard index > 0 else { return false }
    let pages = pageCount(index - 1)
    show(index - 1, page: max(1, pages ?? 1) - 1)
    wantsLastPage = pages == nil
    return true
  }

  private mutating func show(_ image: Int, page new: Int) {
    (index, page) = (image, new)
    wantsLastPage = false
  }

  /// Returns the two pages after the current one, then the page before it: the pages to decode ahead.
  func neighbours(pageCount: (Int) -> Int?) -> [(index: Int, page: Int)] {
    var neighbours: [(index: Int, page: Int)] = []
    var place = (index: index, page: page)
    for _ in 1...2 {
      let pages = max(1, pageCount(place.index) ?? 1)
      place = place.page + 1 < pages ? (place.index, place.page + 1) : (place.index + 1, 0)
      neighbours.append(place)
    }
    if page > 0 {
      neighbours.append((index, page - 1))
    } else if index > 0 {
      neighbours.append((index - 1, max(1, pageCount(index - 1) ?? 1) - 1))
    }
    return neighbours.filter { $0.index < count }
  }
}
