extension Schema {
  /// Step 3. A file comes and goes through `stored` without its resource's row, and what is finished
  /// is in no queue: half of what a finished download wrote.
  static let stored = """
    -- Whose file may not have its name yet. `state` of such a resource is what it was before.
    CREATE TABLE stored (
      resource INTEGER PRIMARY KEY REFERENCES resource (id) ON DELETE CASCADE
    ) STRICT;
    INSERT INTO stored SELECT id FROM resource WHERE state = 1;
    UPDATE resource SET state = 0 WHERE state = 1;

    DROP INDEX resource_queue;
    CREATE INDEX resource_queue ON resource (record, state) WHERE state <> 3;
    """
}
