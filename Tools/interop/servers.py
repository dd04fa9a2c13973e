"""Real servers on loopback, each with a configuration of its own below a scratch folder."""

import os
import re
import shutil
import socket
import subprocess
import time

from ports import free_port

APACHE_MODULES = "/usr/lib/apache2/modules"


class Failure(Exception):
    """A server that does not start."""


class Server:
    """A server that runs from `with` on; `log` tells the protocol of each request."""

    name = ""
    # What its ports speak: HTTP/1.1 and HTTP/2, with TLS and without.
    speaks = ()
    has = frozenset()

    def __init__(self, site, certificates, scratch):
        self.site, self.certificates = site, certificates
        self.folder = scratch / self.name
        self.folder.mkdir()
        self.plain, self.secure = free_port(), free_port()
        self.access = self.folder / "access.log"

    def __enter__(self):
        self.output = (self.folder / "output").open("w")
        self.process = subprocess.Popen(
            list(map(str, self.command())), stdout=self.output, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, cwd=self.folder,
        )
        for port in self.ports():
            self.wait_for(port)
        return self

    def wait_for(self, port):
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        self.__exit__()
        raise Failure(f"{self.name} does not answer: {(self.folder / 'output').read_text()[-2000:]}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.output.close()

    def ports(self):
        return {self.plain, self.secure}

    def base(self, is_secure):
        return f"https://localhost:{self.secure}" if is_secure else f"http://127.0.0.1:{self.plain}"

    def protocols(self, path):
        """The protocols by which a path was asked for, by the server's own log."""
        for _ in range(40):
            text = self.access.read_text() if self.access.exists() else ""
            found = re.findall(rf"^{re.escape(path)} (\S+) (\S+)$", text, re.MULTILINE)
            if found:
                return {protocol for protocol, _ in found}, {number for _, number in found}
            time.sleep(0.05)
        return set(), set()

    def version(self):
        raise NotImplementedError


class Nginx(Server):
    name = "nginx"
    speaks = ("http/1.1", "https/1.1", "https/2")
    has = frozenset(
        {"range", "if-range", "chunked", "redirect", "slow", "log", "connection-numbers"})

    def command(self):
        user = "user root;" if os.getuid() == 0 else ""
        folder = self.folder
        temporary = "\n".join(
            f"{kind}_temp_path {folder}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        config = folder / "nginx.conf"
        config.write_text(f"""
{user}
worker_processes 1;
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  log_format ours '$request_uri $server_protocol $connection';
  access_log {self.access} ours;
  default_type application/octet-stream;
  keepalive_requests 100000;
  {temporary}
  server {{
    listen 127.0.0.1:{self.plain};
    listen 127.0.0.1:{self.secure} ssl http2;
    ssl_certificate {self.certificates.certificate};
    ssl_certificate_key {self.certificates.key};
    root {self.site};
    location /chunked/ {{ alias {self.site}/; ssi on; ssi_types *; }}
    location /slow/ {{ alias {self.site}/; limit_rate 200k; }}
    location = /moved {{ return 301 /file.bin; }}
    location = /found {{ return 302 $scheme://$http_host/file.bin?a=b; }}
    location = /permanent {{ return 308 /file.bin; }}
    location = /loop {{ return 302 /loop; }}
  }}
}}
""")
        return ["nginx", "-c", config, "-e", folder / "error.log", "-p", folder]

    def version(self):
        result = subprocess.run(["nginx", "-v"], capture_output=True, text=True, check=False)
        return result.stderr.strip().removeprefix("nginx version: ")


class Apache(Server):
    name = "apache"
    speaks = ("http/1.1", "http/2", "https/1.1", "https/2")
    has = frozenset({"range", "if-range", "chunked", "redirect", "slow", "log"})

    def command(self):
        modules = "\n".join(
            f"LoadModule {name}_module {APACHE_MODULES}/mod_{name}.so"
            for name in (
                "mpm_event", "authz_core", "mime", "alias", "ssl", "http2", "include", "filter",
                "ratelimit", "env", "setenvif", "socache_shmcb",
            )
        )
        account = "User www-data\nGroup www-data" if os.getuid() == 0 else ""
        config = self.folder / "apache.conf"
        config.write_text(f"""
ServerRoot {self.folder}
PidFile {self.folder}/pid
ErrorLog {self.folder}/error.log
DefaultRuntimeDir {self.folder}
Mutex file:{self.folder}
ServerName localhost
{modules}
TypesConfig /dev/null
{account}
Listen 127.0.0.1:{self.plain}
Listen 127.0.0.1:{self.secure}
Protocols h2 h2c http/1.1
MaxKeepAliveRequests 0
KeepAliveTimeout 60
StartServers 1
LogFormat "%U%q %H -" ours
CustomLog {self.access} ours
DocumentRoot {self.site}
<Directory {self.site}>
  Require all granted
  Options +Includes
</Directory>
Alias /chunked/ {self.site}/
<Location /chunked/>
  SetOutputFilter INCLUDES
</Location>
Alias /slow/ {self.site}/
<Location /slow/>
  SetOutputFilter RATE_LIMIT
  SetEnv rate-limit 200
</Location>
Redirect 301 /moved /file.bin
RedirectMatch 302 ^/found$ /file.bin?a=b
Redirect 308 /permanent /file.bin
RedirectMatch 302 ^/loop$ /loop
<VirtualHost 127.0.0.1:{self.secure}>
  SSLEngine on
  SSLCertificateFile {self.certificates.certificate}
  SSLCertificateKeyFile {self.certificates.key}
</VirtualHost>
""")
        return ["apache2", "-D", "FOREGROUND", "-f", config]

    def version(self):
        result = subprocess.run(["apache2", "-v"], capture_output=True, text=True, check=False)
        return result.stdout.split("\n")[0].removeprefix("Server version: ")


class Nghttpd(Server):
    name = "nghttpd"
    # It speaks HTTP/2 and nothing else.
    speaks = ("http/2", "https/2")
    has = frozenset()

    def command(self):
        return ["nghttpd", "-a", "127.0.0.1", "-d", self.site, self.secure,
                self.certificates.key, self.certificates.certificate]

    def __enter__(self):
        super().__enter__()
        self.without_tls = subprocess.Popen(
            ["nghttpd", "-a", "127.0.0.1", "-d", str(self.site), "--no-tls", str(self.plain)],
            stdout=self.output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )
        self.wait_for(self.plain)
        return self

    def __exit__(self, *arguments):
        if getattr(self, "without_tls", None):
            self.without_tls.terminate()
            self.without_tls.wait()
        super().__exit__(*arguments)

    def ports(self):
        return {self.secure}

    def version(self):
        result = subprocess.run(["nghttpd", "--version"], capture_output=True, text=True, check=False)
        return result.stdout.strip()


ALL = [Nginx, Apache, Nghttpd]


def available(server):
    return shutil.which({"apache": "apache2"}.get(server.name, server.name)) is not None
