import Models
import Persistence

extension Connection {
  func pageWork() throws(StoreError) -> [PageWork] {
    try rows("SELECT resource, interruptions, running FROM page_work ORDER BY resource") {
      row throws(StoreError) in
      PageWork(
        ResourceID(row.integer()), interruptionCount: Int(row.integer()),
        isRunning: row.integer() != 0)
    }
  }

  func setPageWork(_ work: [PageWork]) throws(StoreError) {
    try run("DELETE FROM page_work")
    for one in work {
      try run(
        "INSERT OR REPLACE INTO page_work VALUES (?1, ?2, ?3)", one.resource.rawValue,
        one.interruptionCount, one.isRunning)
    }
  }
}
