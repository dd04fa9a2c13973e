extension Schema {
  /// Step 2. Requests have names of their own, so that records and callers share transfers, partial
  /// files and answers; sources can be read again; and what users and caches change is kept.
  ///
  /// A resource's row is as large as before: both new columns are empty for what is appended.
  static let requests = """
    -- entity_tag … public: what the source's last answer said.
    ALTER TABLE source ADD COLUMN format TEXT;
    ALTER TABLE source ADD COLUMN lazy INTEGER NOT NULL DEFAULT 0 CHECK (lazy IN (0, 1));
    ALTER TABLE source ADD COLUMN entity_tag TEXT;
    ALTER TABLE source ADD COLUMN last_modified TEXT;
    ALTER TABLE source ADD COLUMN next_page TEXT;
    ALTER TABLE source ADD COLUMN public INTEGER NOT NULL DEFAULT 0 CHECK (public IN (0, 1));
    ALTER TABLE source ADD COLUMN series INTEGER NOT NULL DEFAULT 0 CHECK (series IN (0, 1));

    -- Made again, because the loose record has no source.
    -- kind: 0 of the list, 1 the loose one. position: below 1 for what was added at the top.
    -- numbered: the last number that was given to a resource of the record.
    -- first_resource, last_resource: no id is outside; ids that are gone may be inside.
    CREATE TABLE new_record (
      id INTEGER PRIMARY KEY,
      source INTEGER REFERENCES source (id) ON DELETE CASCADE,
      kind INTEGER NOT NULL DEFAULT 0 CHECK (kind IN (0, 1)),
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
      CHECK ((source IS NULL) = (kind = 1))
    ) STRICT;
    INSERT INTO new_record (id, source, position, title, folder, folder_key, paused,
        queued, stored, fetched, finished, failed, bytes, numbered, first_resource, last_resource)
      SELECT id, source, position, title, folder, folder_key, paused,
        queued, stored, fetched, finished, failed, bytes,
        queued + stored + fetched + finished + failed, first_resource, last_resource
      FROM record;
    DROP TABLE record;
    ALTER TABLE new_record RENAME TO record;
    CREATE INDEX record_source ON record (source);
    CREATE UNIQUE INDEX record_loose ON record (kind) WHERE kind = 1;
    CREATE INDEX record_waiting ON record (first_resource)
      WHERE queued > 0 AND paused = 0 AND lazy = 0;

    -- number: in the order of adding, from 1; NULL where it is the position.
    -- position: below 1 for what was added at the top; with gaps where a resource was removed.
    ALTER TABLE resource ADD COLUMN number INTEGER;
    ALTER TABLE resource ADD COLUMN reload INTEGER NOT NULL DEFAULT 0 CHECK (reload IN (0, 1));

    -- request: what the file answers, 16 bytes; NULL for what was not fetched.
    -- Half of a key finds it as well as all of it, in an index of half the size.
    ALTER TABLE file ADD COLUMN request BLOB;
    ALTER TABLE file ADD COLUMN as_of INTEGER;
    ALTER TABLE file ADD COLUMN fresh_until INTEGER;
    CREATE INDEX file_request ON file (substr(request, 1, 8), as_of) WHERE request IS NOT NULL;
    CREATE INDEX file_digest ON file (substr(digest, 1, 8));

    -- Partial data of a resource cannot be that of a request: its files are swept.
    DROP TABLE partial;
    CREATE TABLE partial (
      request BLOB PRIMARY KEY,
      entity_tag TEXT,
      last_modified TEXT,
      total_bytes INTEGER,
      boot_id TEXT NOT NULL,
      synced_bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- One row. concurrency, per_host: in place of the settings; NULL: as they say.
    CREATE TABLE library_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
      concurrency INTEGER,
      per_host INTEGER
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
    INSERT INTO cache (id, name) VALUES (0, 'renditions'), (1, 'loose');
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
