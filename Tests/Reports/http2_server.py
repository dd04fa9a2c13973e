"""A server of HTTP/2 on the loopback interface, whose connections refuse streams and end in chosen ways."""

import atexit
import functools
import pathlib
import shutil
import ssl
import subprocess
import tempfile

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import RequestReceived
from h2.exceptions import ProtocolError
from hyperframe.frame import GoAwayFrame, RstStreamFrame

from pictures import noise
from raw_server import Server, picture

BODY = noise("http2")


@functools.cache
def certificate():
    """The files of a certificate for localhost and of its key, which one run of the tests shares."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="imgdl-reports-tls-"))
    atexit.register(shutil.rmtree, folder)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", folder / "key.pem", "-out", folder / "certificate.pem", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
    return folder / "certificate.pem", folder / "key.pem"


def context(*protocols):
    result = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    result.load_cert_chain(*certificate())
    result.set_alpn_protocols(protocols)
    return result


class Streams:
    """One connection of the client. All frames since the last call of `send` are sent in one write."""

    def __init__(self, connection, number):
        self.number = number
        self.opened = 0
        self.socket = connection
        self.output = b""
        config = H2Configuration(client_side=False, header_encoding="utf-8", validate_outbound_headers=False)
        self.h2 = H2Connection(config)
        self.h2.initiate_connection()

    def answer(self, stream, trailers=None, status="200"):
        self.h2.send_headers(stream, [(":status", status), ("content-type", "image/png")])
        self.h2.send_data(stream, BODY, end_stream=not trailers)
        if trailers:
            self.h2.send_headers(stream, trailers, end_stream=True)
        self._collect()

    # These frames are not made by h2, whose rules a server that closes a connection does not follow.

    def reset(self, stream, code=ErrorCodes.REFUSED_STREAM):
        self._collect()
        self.output += RstStreamFrame(stream, error_code=code).serialize()

    def go_away(self, last, code=ErrorCodes.NO_ERROR):
        self._collect()
        self.output += GoAwayFrame(0, last_stream_id=max(0, last), error_code=code).serialize()

    def send(self):
        self._collect()
        output, self.output = self.output, b""
        self.socket.sendall(output)

    def _collect(self):
        self.output += self.h2.data_to_send()


class Http2Server(Server):
    """Calls a function with a connection and the number of a stream for each request."""

    def __init__(self, behave, protocols=("h2", "http/1.1")):
        self.behave = behave
        self.opened = 0
        self.streams = 0
        super().__init__(lambda _: picture(BODY), tls=context(*protocols))

    def serve(self, connection):
        if connection.selected_alpn_protocol() != "h2":
            super().serve(connection)
            return
        with self.lock:
            self.opened += 1
            streams = Streams(connection, self.opened)
        streams.send()
        while data := connection.recv(65536):
            try:
                events = streams.h2.receive_data(data)
            except ProtocolError:
                # The client may use streams that it opened before it knew that the connection was ending.
                return
            for event in events:
                if isinstance(event, RequestReceived):
                    streams.opened += 1
                    with self.lock:
                        self.streams += 1
                    self.behave(streams, event.stream_id)
            streams.send()
