/// The elements of a page, numbered in the order of their beginnings. It takes eight bytes an element.
struct ElementTree: Sendable {
  /// The numbers of the elements around each element; the first element is around itself.
  private var parents: [Int32] = []
  /// The number after that of the last element in each element; 0 until the element ends.
  private var ends: [Int32] = []

  /// Adds an element.
  /// - Parameter parent: The number of the element around it; nil for the first one.
  /// - Returns: The number of the element.
  mutating func add(in parent: Int?) -> Int {
    let number = parents.count
    guard number < Int(Int32.max) else { return number - 1 }
    parents.append(Int32(clamping: parent ?? 0))
    ends.append(0)
    return number
  }

  /// Records that the element with a number ends.
  mutating func end(_ number: Int) { ends[number] = Int32(clamping: parents.count) }

  /// Returns the number of the element around another one; 0 for the first element.
  func parent(of number: Int) -> Int {
    parents.indices.contains(number) ? Int(parents[number]) : 0
  }

  /// The elements from the beginning of one to its end.
  struct Contents: Equatable {
    let range: Range<Int>

    func contains(_ element: Int) -> Bool { range.contains(element) }
  }

  /// Returns the smallest element that holds all of the given ones; nil without elements.
  func contents(of elements: [Int]) -> Contents? {
    guard let first = elements.min(), let last = elements.max(), parents.indices.contains(last)
    else { return nil }
    var number = first
    while number > 0, end(of: number) <= last { number = Int(parents[number]) }
    return Contents(range: number..<max(end(of: number), last + 1))
  }

  private func end(of number: Int) -> Int { ends[number] == 0 ? parents.count : Int(ends[number]) }
}
