#!/usr/bin/env bash
# run_shared.sh - a conformance suite that may not be there: run it, or say that it is skipped
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tests/run_shared.sh TOOL SUITE [LINE]
# Exits with what `TOOL conform SUITE` exits with; 77, which CTest counts as skipped, where SUITE
# is not there; 1 where LINE is given and is no line of the output.
set -euo pipefail
tool=$1
suite=$2
line=${3:-}

if [ ! -e "$suite" ]; then
    echo "skipped: $suite is not there"
    exit 77
fi

status=0
output=$("$tool" conform "$suite" 2>&1) || status=$?
printf '%s\n' "$output"
if [ -n "$line" ] && ! grep -qxF -- "$line" <<<"$output"; then
    echo "expected the line: $line"
    exit 1
fi
exit "$status"
