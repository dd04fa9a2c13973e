import Testing

@testable import CLIProgram

@Suite struct ExperimentResultTests {
  /// Two combinations; walls in seconds by combination.
  static func result(_ walls: [[Double]], differences: [String] = []) -> ExperimentResult {
    let combinations = walls.indices.map {
      Combination(settings: [.init(key: "network.retries", value: "\($0)")], label: "retries=\($0)")
    }
    var runs: [Measurement] = []
    for (index, walls) in walls.enumerated() {
      runs.append(Measurement(combination: index, repetition: 0, wallSeconds: 99))
      for (repetition, wall) in walls.enumerated() {
        runs.append(
          Measurement(
            combination: index, repetition: repetition + 1, wallSeconds: wall,
            userSeconds: wall / 4,
            systemSeconds: wall / 4, peakMemory: 30_000_000, bytes: 2_600, requests: 11 + index))
      }
    }
    return ExperimentResult(
      command: "imgdl-cli experiment a.json --vary network.retries=0,1",
      machine: MeasuringMachine(processors: 2, kernel: "6.1.0", program: "0.1.0"),
      combinations: combinations, runs: runs, differences: differences)
  }

  @Test(
    "the median is the middle, or the mean of the two in the middle",
    arguments: [
      ([3.0], 3.0, 3.0, 3.0), ([5, 1, 3], 3, 1, 5), ([4, 1, 2, 9], 3, 1, 9), ([2, 2], 2, 2, 2),
    ])
  func median(_ values: [Double], _ median: Double, _ least: Double, _ most: Double) throws {
    let spread = try #require(MedianRange(values))
    #expect(spread.median == median)
    #expect(spread.minimum == least)
    #expect(spread.maximum == most)
    #expect(MedianRange([]) == nil)
  }

  @Test("figures are of the runs that count, their ratio to the first combination")
  func rows() throws {
    let rows = Self.result([[2, 1, 3], [5, 3, 4]]).rows(.wall)
    #expect(rows.map(\.combination) == ["retries=0", "retries=1"])
    #expect(rows.map(\.spread.median) == [2, 4])
    #expect(rows.map(\.spread.minimum) == [1, 3])
    #expect(rows.map(\.spread.maximum) == [3, 5])
    #expect(rows.map(\.ratio) == [1, 2])
    #expect(Self.result([[2], [4]]).rows(.processor).map(\.spread.median) == [1, 2])
    #expect(
      Self.result([[2], [4]]).rows(.failures).map(\.ratio) == [nil, nil], "nothing over nothing")
  }

  @Test("the table has a row for each measure and combination, with units")
  func table() {
    let lines = Self.result([[1.2345, 1, 3], [50, 30, 400]]).table().lines()
    #expect(lines.count == 1 + 2 * Measure.allCases.count)
    #expect(lines[0] == "MEASURE   COMBINATION   MEDIAN          MIN - MAX  RATIO")
    #expect(lines[1] == "wall      retries=0    1.234 s  1.000 s - 3.000 s   1.00")
    #expect(lines[2] == "          retries=1    50.00 s  30.00 s - 400.0 s  40.50")
    #expect(lines[5] == "peak RSS  retries=0    30.0 MB            30.0 MB   1.00")
    #expect(lines[9] == "requests  retries=0         11                 11   1.00")
    #expect(lines[11] == "failures  retries=0          0                  0      -")
  }

  @Test("a command line can be typed again, and shows no secret")
  func command() {
    #expect(
      CommandText.of(["imgdl-cli", "it's", "a b", "", "x=1,2", "https://u:p@a.b/c@d?e=u@v"])
        == "imgdl-cli 'it'\\''s' 'a b' '' x=1,2 'https://...@a.b/c@d?e=u@v'")
    for words in [
      ["--set", "network.headers=Cookie: hunter2"], ["--set=network.headers=Cookie: hunter2"],
    ] {
      #expect(!CommandText.of(words).contains("hunter2"))
    }
  }
}
