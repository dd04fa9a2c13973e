/// Where the viewer is in a record: an image, and a page of it. Pure; it requests the numbers of pages, which
/// are known only of images that were read.
struct PageLocation: Sendable {
  /// Of the image in the record, from 0.
  private(set) var index: Int
  /// Of the page in the image, from 0.
  private(set) var page = 0
  /// Of the images in the record.
  private(set) var count: Int
  /// The page before the first one of an image is the last one of the image before.
  private var wantsLastPage = false

  init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// Images have come from the store.
  /// - Parameter pageCount: of an image; nil means it is not known.
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

  /// The image that is meant is at another place.
  mutating func correct(index new: Int) { index = new }

  /// - Returns: whether it is another page now.
  mutating func go(to image: Int) -> Bool {
    let target = min(max(0, image), max(0, count - 1))
    guard target != index || page != 0 else { return false }
    begin(target, page: 0)
    return true
  }

  /// - Parameter pageCount: of the current image.
  /// - Returns: whether it is another page now.
  mutating func advance(pageCount: Int?) -> Bool {
    if page + 1 < max(1, pageCount ?? 1) {
      begin(index, page: page + 1)
      return true
    }
    return index + 1 < count && go(to: index + 1)
  }

  /// - Returns: whether it is another page now.
  mutating func goBack(pageCount: (Int) -> Int?) -> Bool {
    if page > 0 {
      begin(index, page: page - 1)
      return true
    }
    guard index > 0 else { return false }
    let pages = pageCount(index - 1)
    begin(index - 1, page: max(1, pages ?? 1) - 1)
    wantsLastPage = pages == nil
    return true
  }

  private mutating func begin(_ image: Int, page new: Int) {
    (index, page) = (image, new)
    wantsLastPage = false
  }

  /// What comes next and what was before, nearest first.
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
