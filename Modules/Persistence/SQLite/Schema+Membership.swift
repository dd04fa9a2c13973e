extension Schema {
  /// Step 5. SQLite looks for many numbers at once only in an index without a condition.
  static let membership = """
    DROP INDEX file_request;
    CREATE INDEX file_request ON file (request_key, as_of);
    """
}
