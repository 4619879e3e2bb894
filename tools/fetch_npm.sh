#!/usr/bin/env bash
# fetch_npm.sh - have npm fetch the packages that two checks use, into a folder of the build
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/fetch_npm.sh FOLDER
# tools/npm/package-lock.json says which, with their checksums; none of their scripts is run.  What
# is there already is left alone.
set -euo pipefail
folder=$1
from=$(cd "$(dirname "$0")/npm" && pwd)

cmp -s "$from/package-lock.json" "$folder/fetched.json" && exit 0
command -v npm >/dev/null || {
    echo "fetch_npm: npm is not installed, and $from/package.json asks for packages of npm" >&2
    exit 2
}
mkdir -p "$folder"
cp "$from/package.json" "$from/package-lock.json" "$folder"
(cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >&2 || {
    echo "fetch_npm: npm could not fetch what $from/package-lock.json lists" >&2
    exit 2
}
cp "$from/package-lock.json" "$folder/fetched.json"
