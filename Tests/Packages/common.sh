# Functions of the scripts that try a package in a bare Debian. Their arguments are that system's folder, and a folder with
# packages/ and pictures/.
# shellcheck shell=bash

chroot=$1
folder=$2

inside() {
  chroot "$chroot" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"
}

as_user() { inside runuser -u reader -- env HOME=/home/reader "$@"; }

install_packages() { inside apt-get install -q -y --no-install-recommends "$@"; }

# Makes a user of the bare system, and copies the files that Tests/Packages/trial needs.
prepare() {
  inside useradd --create-home reader
  cp -R "$folder/pictures" "$chroot/srv/pictures"
  cp "${BASH_SOURCE[0]%/*}/trial" "$chroot/srv/trial"
}
