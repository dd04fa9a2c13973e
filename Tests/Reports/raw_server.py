"""A server on the loopback interface of which each byte is chosen by the test."""

import contextlib
import socket
import threading


class Request:
    """A request without a body."""

    def __init__(self, head, number, connection):
        first, *lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = first.split(" ")
        self.path = self.target.partition("?")[0]
        self.fields = {}
        self.number = number
        self.connection = connection
        for line in lines:
            name, _, value = line.partition(":")
            self.fields[name.lower()] = value.strip()

    @property
    def first_byte(self):
        """The position of the first byte of the requested range; 0 without one."""
        value = self.fields.get("range", "bytes=0-")
        return int(value.removeprefix("bytes=").partition("-")[0])


def response(body=b"", status="200 OK", length=None, **fields):
    """A response with a length; in the names of fields, _ is a hyphen."""
    size = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {size}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def picture(body, **fields):
    return response(body, Content_Type="image/png", **fields)


def page(text, **fields):
    return response(text.encode(), Content_Type="text/html; charset=utf-8", **fields)


NOT_FOUND = response(status="404 Not Found")
FORBIDDEN = response(b"no", status="403 Forbidden")
MISDIRECTED = response(b"no", status="421 Misdirected Request")


class Server:
    """Sends what a function returns for each request: bytes, after which the connection stays open, or an iterable
    of bytes, after which it is closed."""

    def __init__(self, answer, tls=None):
        self.answer = answer
        self.requests = []
        # The bytes of iterables that were sent.
        self.sent = 0
        self.lock = threading.Lock()
        self.tls = tls
        self.connections = set()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def targets(self):
        return [request.target for request in self.requests]

    def count(self, path):
        return sum(request.path == path for request in self.requests)

    def close(self):
        self.listener.close()
        with self.lock:
            connections = list(self.connections)
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection):
        with contextlib.suppress(OSError), connection:
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
            with self.lock:
                self.connections.add(connection)
            try:
                self.serve(connection)
            finally:
                with self.lock:
                    self.connections.discard(connection)
                connection.close()

    def serve(self, connection):
        received = b""
        while True:
            while b"\r\n\r\n" not in received:
                if not (data := connection.recv(65536)):
                    return
                received += data
            head, _, received = received.partition(b"\r\n\r\n")
            with self.lock:
                request = Request(head, len(self.requests), connection)
                self.requests.append(request)
            answer = self.answer(request)
            if isinstance(answer, bytes):
                connection.sendall(answer)
                continue
            for part in answer:
                connection.sendall(part)
                with self.lock:
                    self.sent += len(part)
            connection.shutdown(socket.SHUT_WR)
            return
