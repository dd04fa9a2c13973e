// The lower bound for small downloads: the cost of the kernel, SHA-256 and SQLite, with next to no code
// around them. Two event loops with keep-alive connections request a list of URLs from one server, one
// request at a time per connection; every body is one read and one write. Responses are not validated.
//
// Usage: download_floor LIST FOLDER FLAGS
//   LIST    a file with one URL per line, as http://ADDRESS:PORT/path
//   FOLDER  where the bodies are written
//   FLAGS   letters, or - for none:
//           h  compute the SHA-256 of each body
//           r  write each body under a temporary name, and rename it
//           s  store rows in a database: one per URL before the downloads, and one per file afterwards,
//              updated in batches every 50 ms

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { loops = 2, connections = 16, bufferSize = 1 << 18 };

typedef struct {
  char *path;
  unsigned char digest[32];
  long bytes;
} File;

typedef struct {
  int socket, body;
  long number;  // of the file; -1 when nothing is left
  long left;    // of the body; -1 before the head
  EVP_MD_CTX *digest;
} Connection;

static File *files;
static long fileCount;
static atomic_long nextFile;
static struct sockaddr_in server;
static char host[64];
static int folder;
static const char *folderPath;
static bool hashes, renames, stores;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t isDone = PTHREAD_COND_INITIALIZER;
static long *done, doneCount;

static void check(bool isRight, const char *what) {
  if (isRight) return;
  perror(what);
  exit(1);
}

static void ask(Connection *connection) {
  connection->number = atomic_fetch_add(&nextFile, 1);
  connection->left = -1;
  if (connection->number >= fileCount) {
    connection->number = -1;
    return;
  }
  char request[1024];
  int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: */*\r\n\r\n",
                        files[connection->number].path, host);
  check(length < (int)sizeof request, "a long URL");
  check(send(connection->socket, request, length, MSG_NOSIGNAL) == length, "send");
}

static void name(char *text, long number, bool isPart) {
  sprintf(text, isPart ? "%06ld.part" : "%06ld.jpg", number);
}

/// Opens the file and gives where the body begins.
static char *takeHead(Connection *connection, char *bytes, ssize_t count) {
  char *end = memmem(bytes, count, "\r\n\r\n", 4);
  check(end && strncmp(bytes, "HTTP/1.1 200", 12) == 0, "no head in the first read");
  *end = 0;
  char *length = strcasestr(bytes, "\r\ncontent-length:");
  check(length, "no length");
  connection->left = files[connection->number].bytes = atol(length + 17);
  char text[32];
  name(text, connection->number, renames);
  connection->body = openat(folder, text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  check(connection->body >= 0, "open");
  return end + 4;
}

static void finish(Connection *connection) {
  File *file = &files[connection->number];
  close(connection->body);
  if (hashes) EVP_DigestFinal_ex(connection->digest, file->digest, NULL);
  if (renames) {
    char from[32], to[32];
    name(from, connection->number, true);
    name(to, connection->number, false);
    check(renameat(folder, from, folder, to) == 0, "rename");
  }
  pthread_mutex_lock(&lock);
  done[doneCount++] = connection->number;
  if (doneCount == fileCount) pthread_cond_signal(&isDone);
  pthread_mutex_unlock(&lock);
}

static void receive(Connection *connection, char *buffer) {
  ssize_t count = recv(connection->socket, buffer, bufferSize, 0);
  check(count > 0, "recv");
  char *bytes = buffer;
  if (connection->left < 0) {
    bytes = takeHead(connection, buffer, count);
    if (hashes) EVP_DigestInit_ex(connection->digest, EVP_sha256(), NULL);
  }
  long length = buffer + count - bytes;
  if (length > 0) check(write(connection->body, bytes, length) == length, "write");
  if (hashes) EVP_DigestUpdate(connection->digest, bytes, length);
  connection->left -= length;
  if (connection->left > 0) return;
  finish(connection);
  ask(connection);
}

static void *loop(void *unused) {
  (void)unused;
  static Connection all[loops][connections / loops];
  static atomic_int begun;
  Connection *own = all[atomic_fetch_add(&begun, 1)];
  int poll = epoll_create1(EPOLL_CLOEXEC), live = 0;
  char *buffer = malloc(bufferSize);
  for (int i = 0; i < connections / loops; i++) {
    int yes = 1;
    own[i].digest = EVP_MD_CTX_new();
    own[i].socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(connect(own[i].socket, (void *)&server, sizeof server) == 0, "connect");
    setsockopt(own[i].socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = &own[i]};
    epoll_ctl(poll, EPOLL_CTL_ADD, own[i].socket, &wanted);
    ask(&own[i]);
    live += own[i].number >= 0;
  }
  while (live > 0) {
    struct epoll_event ready[connections];
    int count = epoll_wait(poll, ready, connections, -1);
    for (int i = 0; i < count; i++) {
      Connection *connection = ready[i].data.ptr;
      receive(connection, buffer);
      if (connection->number < 0) live--;
    }
  }
  return NULL;
}

static void run(sqlite3 *database, const char *sql) {
  check(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, sql);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, sql);
  return statement;
}

static void step(sqlite3_stmt *statement) {
  check(sqlite3_step(statement) == SQLITE_DONE, "step");
  sqlite3_reset(statement);
}

static void queue(sqlite3 *database) {
  run(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                "CREATE TABLE resource (id INTEGER PRIMARY KEY, url TEXT, state INT);"
                "CREATE TABLE file (id INTEGER PRIMARY KEY, digest BLOB, bytes INT, name TEXT);"
                "CREATE INDEX file_digest ON file (digest)");
  sqlite3_stmt *insert = prepare(database, "INSERT INTO resource VALUES (?, ?, 0)");
  run(database, "BEGIN");
  for (long number = 0; number < fileCount; number++) {
    sqlite3_bind_int64(insert, 1, number);
    sqlite3_bind_text(insert, 2, files[number].path, -1, SQLITE_STATIC);
    step(insert);
  }
  run(database, "COMMIT");
  sqlite3_finalize(insert);
}

static void *store(void *opened) {
  sqlite3 *database = opened;
  sqlite3_stmt *insert = prepare(database, "INSERT INTO file VALUES (?, ?, ?, ?)");
  sqlite3_stmt *update = prepare(database, "UPDATE resource SET state = 3 WHERE id = ?");
  for (long written = 0; written < fileCount;) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    while (doneCount < fileCount && pthread_cond_timedwait(&isDone, &lock, &until) == 0) continue;
    long end = doneCount;
    pthread_mutex_unlock(&lock);
    run(database, "BEGIN");
    for (; written < end; written++) {
      File *file = &files[done[written]];
      char text[32];
      name(text, done[written], false);
      sqlite3_bind_int64(insert, 1, done[written]);
      sqlite3_bind_blob(insert, 2, file->digest, sizeof file->digest, SQLITE_STATIC);
      sqlite3_bind_int64(insert, 3, file->bytes);
      sqlite3_bind_text(insert, 4, text, -1, SQLITE_STATIC);
      step(insert);
      sqlite3_bind_int64(update, 1, done[written]);
      step(update);
    }
    run(database, "COMMIT");
  }
  sqlite3_finalize(insert);
  sqlite3_finalize(update);
  sqlite3_close(database);
  return NULL;
}

static void readList(const char *path) {
  FILE *list = fopen(path, "r");
  check(list, path);
  char line[2048];
  long room = 0;
  while (fgets(line, sizeof line, list)) {
    line[strcspn(line, "\n")] = 0;
    char *path = strncmp(line, "http://", 7) == 0 ? strchr(line + 7, '/') : NULL;
    check(path, "not a plain URL");
    if (fileCount == 0) snprintf(host, sizeof host, "%.*s", (int)(path - line - 7), line + 7);
    if (fileCount == room) files = realloc(files, (room = 2 * room + 1024) * sizeof *files);
    files[fileCount++] = (File){.path = strdup(path)};
  }
  fclose(list);
  check(fileCount > 0, "an empty list");
  char address[sizeof host];
  strcpy(address, host);
  char *port = strrchr(address, ':');
  check(port, "no port");
  *port = 0;
  server.sin_family = AF_INET;
  server.sin_port = htons(atoi(port + 1));
  check(inet_pton(AF_INET, address, &server.sin_addr) == 1, "not an IPv4 address");
}

int main(int count, char **words) {
  check(count == 4, "LIST FOLDER FLAGS");
  readList(words[1]);
  folderPath = words[2];
  hashes = strchr(words[3], 'h');
  renames = strchr(words[3], 'r');
  stores = strchr(words[3], 's');
  done = calloc(fileCount, sizeof *done);
  folder = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  check(folder >= 0, folderPath);
  pthread_t threads[loops], writer;
  if (stores) {
    char path[4096];
    sqlite3 *database;
    check(mkdirat(folder, ".imgdl", 0755) == 0, "mkdir");
    snprintf(path, sizeof path, "%s/.imgdl/library.sqlite", folderPath);
    check(sqlite3_open(path, &database) == SQLITE_OK, path);
    queue(database);
    pthread_create(&writer, NULL, store, database);
  }
  for (int i = 0; i < loops; i++) pthread_create(&threads[i], NULL, loop, NULL);
  for (int i = 0; i < loops; i++) pthread_join(threads[i], NULL);
  if (stores) pthread_join(writer, NULL);
  return 0;
}
