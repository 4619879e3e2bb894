#!/usr/bin/env bash
# gcov_nameless.sh - gcov for gcovr 5.2, which stops at a static name that two files define
# SPDX-License-Identifier: Apache-2.0
#
# Usage: gcovr --gcov-executable tools/gcov_nameless.sh ...
# A template compiled several times has functions of one name in several places, and gcovr 5.2
# gives up on them (it asserts that they stand on one line).  The lines that name functions are
# taken out of what gcov writes; those that count lines and branches stay as they are.
set -euo pipefail
gcov "$@"
find . -maxdepth 1 -name '*.gcov' -exec sed -i '/^function /d' {} +
