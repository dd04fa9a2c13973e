extension Schema {
  /// Step 6. An engine that ends while it turns an original into pages finds here which one it was.
  static let pageWork = """
    -- Resources whose pages are being made, without reference to their rows: what is gone does not
    -- matter. interruptions: engines that ended meanwhile.
    CREATE TABLE page_work (
      resource INTEGER PRIMARY KEY,
      interruptions INTEGER NOT NULL,
      running INTEGER NOT NULL CHECK (running IN (0, 1))
    ) STRICT;
    """
}
