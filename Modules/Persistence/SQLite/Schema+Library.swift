extension Schema {
  /// Step 1. A resource's own row stays small and of one size, because a million of them are
  /// inserted at once; what a download adds has tables of its own.
  static let library = """
    -- The last id that was given: ids are never reused, also after `removeAll`.
    CREATE TABLE sequence (
      name TEXT PRIMARY KEY,
      last INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO sequence VALUES ('source', 0), ('record', 0), ('resource', 0);

    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL,
      location TEXT NOT NULL,
      complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1))
    ) STRICT;
    CREATE INDEX source_key ON source (key);

    -- position: the place in the list; NULL while the source is incomplete.
    -- queued … bytes: counters, kept in the transaction that changes a resource.
    -- first_resource, last_resource: the range of ids, for the window on the queue.
    CREATE TABLE record (
      id INTEGER PRIMARY KEY,
      source INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
      position INTEGER UNIQUE,
      title TEXT NOT NULL,
      folder TEXT NOT NULL,
      folder_key TEXT NOT NULL UNIQUE,
      paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
      queued INTEGER NOT NULL DEFAULT 0,
      stored INTEGER NOT NULL DEFAULT 0,
      fetched INTEGER NOT NULL DEFAULT 0,
      finished INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      first_resource INTEGER,
      last_resource INTEGER
    ) STRICT;
    CREATE INDEX record_source ON record (source);
    CREATE INDEX record_waiting ON record (first_resource) WHERE queued > 0;

    -- state: 0 queued, 1 stored, 2 fetched, 3 finished, 4 failed.
    -- position: from 1, without gaps.
    -- fields: request fields, a line each.
    CREATE TABLE resource (
      id INTEGER PRIMARY KEY,
      record INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4),
      attempts INTEGER NOT NULL DEFAULT 0,
      page_count INTEGER NOT NULL DEFAULT 0,
      url TEXT NOT NULL,
      title TEXT,
      expected_digest BLOB,
      fields TEXT,
      reason TEXT
    ) STRICT;
    CREATE UNIQUE INDEX resource_order ON resource (record, position);
    CREATE INDEX resource_queue ON resource (record, state);

    -- The downloaded original. Times are milliseconds since the transfer was asked for.
    CREATE TABLE file (
      resource INTEGER PRIMARY KEY REFERENCES resource (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      digest BLOB NOT NULL,
      format TEXT NOT NULL,
      entity_tag TEXT,
      last_modified TEXT,
      media_type TEXT,
      queue_ms REAL,
      dns_ms REAL,
      connect_ms REAL,
      tls_ms REAL,
      request_ms REAL,
      first_byte_ms REAL,
      last_byte_ms REAL
    ) STRICT;

    CREATE TABLE partial (
      resource INTEGER PRIMARY KEY REFERENCES resource (id) ON DELETE CASCADE,
      entity_tag TEXT,
      last_modified TEXT,
      total_bytes INTEGER,
      boot_id TEXT NOT NULL,
      synced_bytes INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE page (
      resource INTEGER NOT NULL REFERENCES resource (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      label TEXT,
      file TEXT,
      thumbnail TEXT,
      reason TEXT,
      PRIMARY KEY (resource, number)
    ) STRICT, WITHOUT ROWID;
    """
}
