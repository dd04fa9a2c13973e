extension Schema {
  /// The tables of the first release.
  static let tables = """
    -- The last id that was given: ids are never reused, also after `removeAll`.
    CREATE TABLE sequence (
      name TEXT PRIMARY KEY,
      last INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO sequence VALUES ('source', 0), ('record', 0), ('resource', 0);

    -- discarded: no query returns it; its row is deleted with the last of its records.
    -- entity_tag … public: what the source's last answer said.
    -- layout: how the text of the source was read; NULL if it is unknown, or if the source is no text.
    -- content_format: that of the first document, beside the one that the user has chosen; NULL if it is unknown.
    -- cut: whether limits kept the source from being read to its end.
    -- options: those of the requests, never with credentials; NULL for none.
    -- cookies: whether the documents have set some, which are never stored.
    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL,
      location TEXT NOT NULL,
      complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
      discarded INTEGER NOT NULL DEFAULT 0 CHECK (discarded IN (0, 1)),
      format TEXT,
      lazy INTEGER NOT NULL DEFAULT 0 CHECK (lazy IN (0, 1)),
      entity_tag TEXT,
      last_modified TEXT,
      next_page TEXT,
      public INTEGER NOT NULL DEFAULT 0 CHECK (public IN (0, 1)),
      series INTEGER NOT NULL DEFAULT 0 CHECK (series IN (0, 1)),
      layout TEXT,
      content_format TEXT,
      cut INTEGER NOT NULL DEFAULT 0 CHECK (cut IN (0, 1)),
      options TEXT,
      cookies INTEGER NOT NULL DEFAULT 0 CHECK (cookies IN (0, 1))
    ) STRICT;
    CREATE INDEX source_key ON source (key);

    -- kind: 0 of the list, 1 the standalone one, which has no source.
    -- removed: no query returns it; its rows are deleted when their files are gone.
    -- position: the place in the list, below 1 for what was added at the top; NULL while the source is
    -- incomplete, and of a removed record.
    -- keeps_files: whether the files of the removed record stay on the disk.
    -- queued … bytes, named: counters, kept in the transaction that changes a resource.
    -- numbered: the last number that was given to a resource of the record.
    -- first_resource, last_resource: no id is outside, for the window on the queue; ids that are gone
    -- may be inside.
    CREATE TABLE record (
      id INTEGER PRIMARY KEY,
      source INTEGER REFERENCES source (id) ON DELETE CASCADE,
      kind INTEGER NOT NULL DEFAULT 0 CHECK (kind IN (0, 1)),
      removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
      position INTEGER UNIQUE,
      title TEXT NOT NULL,
      folder TEXT NOT NULL,
      folder_key TEXT NOT NULL UNIQUE,
      paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
      lazy INTEGER NOT NULL DEFAULT 0 CHECK (lazy IN (0, 1)),
      priority INTEGER NOT NULL DEFAULT 0 CHECK (priority BETWEEN -1 AND 1),
      queued INTEGER NOT NULL DEFAULT 0,
      stored INTEGER NOT NULL DEFAULT 0,
      fetched INTEGER NOT NULL DEFAULT 0,
      finished INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      numbered INTEGER NOT NULL DEFAULT 0,
      first_resource INTEGER,
      last_resource INTEGER,
      named INTEGER NOT NULL DEFAULT 0,
      keeps_files INTEGER NOT NULL DEFAULT 0 CHECK (keeps_files IN (0, 1)),
      CHECK ((source IS NULL) = (kind = 1))
    ) STRICT;
    CREATE INDEX record_source ON record (source);
    CREATE UNIQUE INDEX record_standalone ON record (kind) WHERE kind = 1 AND removed = 0;
    CREATE INDEX record_removed ON record (id) WHERE removed = 1;
    CREATE INDEX record_waiting ON record (first_resource)
      WHERE queued > 0 AND paused = 0 AND lazy = 0;

    -- Changes of whole records that have not come to their end. kind: 0 cancel, 1 retry, 2 reload.
    -- last: the id of the last resource that was looked at. until: the last one that is concerned.
    CREATE TABLE record_verb (
      record INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
      reason TEXT,
      last INTEGER NOT NULL,
      until INTEGER NOT NULL
    ) STRICT;

    -- state: 0 queued, 2 fetched, 3 finished, 4 failed; of what is stored: what it was before.
    -- position: below 1 for what was added at the top; with gaps where a resource was removed.
    -- fields: request fields, a line each.
    -- number: in the order of adding, from 1; NULL where it is the position.
    -- mirrors: a URL on each line, the best one first; NULL for none.
    -- expected_bytes: the size that the list states, of a resource with mirrors.
    -- named: whether the user has named the resource of a lazy record, until it is finished or has failed.
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
      reason TEXT,
      number INTEGER,
      reload INTEGER NOT NULL DEFAULT 0 CHECK (reload IN (0, 1)),
      mirrors TEXT,
      expected_bytes INTEGER,
      named INTEGER NOT NULL DEFAULT 0 CHECK (named IN (0, 1))
    ) STRICT;
    CREATE UNIQUE INDEX resource_order ON resource (record, position);
    CREATE INDEX resource_queue ON resource (record, state) WHERE state <> 3;
    CREATE INDEX resource_named ON resource (record) WHERE named = 1;

    -- Whose file may not have its name yet.
    CREATE TABLE stored (
      resource INTEGER PRIMARY KEY REFERENCES resource (id) ON DELETE CASCADE
    ) STRICT;

    -- The downloaded original. Times are milliseconds since the transfer was asked for.
    -- request: what the file answers, 16 bytes; NULL for what was not fetched.
    -- digest_key, request_key: the first 31 bits of them, by which they are found; the rest decides
    -- among the few that share them.
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
      last_byte_ms REAL,
      request BLOB,
      as_of INTEGER,
      fresh_until INTEGER,
      digest_key INTEGER,
      request_key INTEGER,
      received_bytes INTEGER
    ) STRICT;
    CREATE INDEX file_digest ON file (digest_key);
    CREATE INDEX file_request ON file (request_key, as_of);

    -- url: that of the bytes; NULL if it is unknown, or if the bytes are of several URLs.
    -- has_gaps: whether several connections have filled the file.
    CREATE TABLE partial (
      request BLOB PRIMARY KEY,
      entity_tag TEXT,
      last_modified TEXT,
      total_bytes INTEGER,
      boot_id TEXT NOT NULL,
      synced_bytes INTEGER NOT NULL,
      url TEXT,
      has_gaps INTEGER NOT NULL DEFAULT 0 CHECK (has_gaps IN (0, 1))
    ) STRICT, WITHOUT ROWID;

    -- reason: why the image is missing or not whole; remark: about the image of a sound page.
    CREATE TABLE page (
      resource INTEGER NOT NULL REFERENCES resource (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      label TEXT,
      file TEXT,
      thumbnail TEXT,
      reason TEXT,
      thumb_hash BLOB,
      remark TEXT,
      PRIMARY KEY (resource, number)
    ) STRICT, WITHOUT ROWID;

    -- Resources whose pages are being made, without reference to their rows: what is gone does not
    -- matter. interruptions: engines that ended meanwhile.
    CREATE TABLE page_work (
      resource INTEGER PRIMARY KEY,
      interruptions INTEGER NOT NULL,
      running INTEGER NOT NULL CHECK (running IN (0, 1))
    ) STRICT;

    -- One row. concurrency, per_host, rate_limit: in place of the settings; NULL: as they say.
    CREATE TABLE library_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
      concurrency INTEGER,
      per_host INTEGER,
      rate_limit INTEGER
    ) STRICT;
    INSERT INTO library_state (id) VALUES (1);

    -- count, bytes: counters, kept in the transaction that changes an entry.
    -- last_use: counts on with each use of an entry.
    CREATE TABLE cache (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      count INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      last_use INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO cache (id, name) VALUES (0, 'renditions'), (1, 'standalone');
    CREATE TABLE cache_entry (
      cache INTEGER NOT NULL REFERENCES cache (id),
      name TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      used INTEGER NOT NULL,
      PRIMARY KEY (cache, name)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX cache_order ON cache_entry (cache, used);
    """
}
