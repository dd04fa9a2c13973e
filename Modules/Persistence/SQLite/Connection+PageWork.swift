import Models
package import Persistence

extension Connection {
  package func pageWork() throws(StoreError) -> [PageWork] {
    try rows("SELECT resource, interruptions, running FROM page_work ORDER BY resource") {
      row throws(StoreError) in
      PageWork(
        ResourceID(row.integer()), interruptionCount: Int(row.integer()),
        isRunning: row.integer() != 0)
    }
  }
}
