import Synchronization

/// What the check of races is itself checked by: two threads count with a mutex, or ("race") without.
final class Counter: @unchecked Sendable {
  let guarded = Mutex(0)
  var bare = 0
}

let counter = Counter()
let isRace = CommandLine.arguments.contains("race")
await withTaskGroup(of: Void.self) { group in
  for _ in 0..<2 {
    group.addTask {
      for _ in 0..<200_000 {
        if isRace { counter.bare += 1 } else { counter.guarded.withLock { $0 += 1 } }
      }
    }
  }
}
print(isRace ? counter.bare : counter.guarded.withLock(\.self))
