#!/bin/sh
# Make sure that Chromium is there for the browser tests: install Debian's if run as root, otherwise say how to.
set -eu

for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then exit 0; fi
done

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "make test-browser needs Chromium on the path; on Debian: apt-get install chromium fonts-noto-core" >&2
    exit 1
fi

echo "Installing Chromium (once, about a minute) ..."
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install -y --no-install-recommends chromium fonts-noto-core >/dev/null
