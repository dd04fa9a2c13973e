"""Certificates for servers on loopback, made by openssl."""

import subprocess


class Certificates:
    """An authority of our own, and a certificate of it for localhost."""

    def __init__(self, folder):
        folder.mkdir()
        self.authority, self.key, self.certificate = (
            folder / "authority.pem", folder / "server.key", folder / "server.pem",
        )
        authority_key, request = folder / "authority.key", folder / "server.csr"
        extensions = folder / "extensions"
        extensions.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        for command in (
            f"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=interop"
            f" -keyout {authority_key} -out {self.authority}",
            f"req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=server"
            f" -keyout {self.key} -out {request}",
            f"x509 -req -in {request} -CA {self.authority} -CAkey {authority_key} -CAcreateserial"
            f" -days 2 -extfile {extensions} -out {self.certificate}",
        ):
            subprocess.run(["openssl", *command.split()], check=True, capture_output=True)
