#!/usr/bin/env bash
# check_style.sh - hold the files and the last commits to the style of CONTRIBUTING.md
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/check_style.sh
# Reads every file that git knows or would add, and the subjects of the last 20 commits.
# Prints a line for each fault, and how many there were.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

faults=0
report() {
    echo "$1"
    faults=$((faults + 1))
}

# report_lines TEXT: a report for each line on the standard input, "FILE:LINE" or "FILE".
report_lines() {
    local place
    while IFS= read -r place; do
        report "$place: $1"
    done
}

in_git() {
    git rev-parse --is-inside-work-tree >/dev/null 2>&1
}

list_files() {
    if in_git; then
        git ls-files -co --exclude-standard -z
    else
        find . -type f -not -path './build*' -printf '%P\0'
    fi
}

mapfile -d '' -t files < <(list_files)
existing=()
for file in "${files[@]}"; do
    [ -f "$file" ] && existing+=("$file")
done
files=("${existing[@]}")

# Text that people write; what is made by a program (models, arrays) is not.
text=()
code=()
c_files=()
for file in "${files[@]}"; do
    case $file in
        LICENSE) continue ;;
        *.[ch] | *.cpp | *.def) code+=("$file") ;;
        *.sh | *.py | Makefile | *.cmake | CMakeLists.txt | */CMakeLists.txt | .ci/run | *.yml) code+=("$file") ;;
        *.md | *.json | *.in | *.1 | *.bash | .clang-* | .editorconfig | .gitignore) ;;
        *) continue ;;
    esac
    text+=("$file")
    case $file in *.[ch] | *.cpp) c_files+=("$file") ;; esac
done

# places PATTERN FILE...: "FILE:LINE" of each line that matches the Perl pattern.
places() {
    local pattern=$1
    shift
    grep -nPH -- "$pattern" "$@" | cut -d: -f1,2 || true
}

check_text() {
    local file untabbed=()
    for file in "${text[@]}"; do
        case $file in Makefile | *.1) ;; *) untabbed+=("$file") ;; esac
        [ ! -s "$file" ] || [ -z "$(tail -c 1 "$file")" ] || report "$file: no newline at the end"
    done
    report_lines "a tab" < <(places '\t' "${untabbed[@]}")
    report_lines "blanks at the end of the line" < <(places '[ \t]+\r?$' "${text[@]}")
    report_lines "a carriage return" < <(places '\r' "${text[@]}")
    report_lines "an invisible character" < <(places \
        '[\x{00A0}\x{00AD}\x{200B}-\x{200F}\x{2028}-\x{202F}\x{2060}-\x{2064}\x{FEFF}]' "${text[@]}")
}

# The first lines say which file this is, what it does, and under which licence.
check_heads() {
    local file name head
    for file in "${code[@]}"; do
        name=${file##*/}
        head=$(head -n 6 "$file")
        grep -q 'SPDX-License-Identifier: Apache-2.0' <<<"$head" ||
            report "$file:1: no SPDX line among the first six"
        case $file in
            *CMakeLists.txt | *.cmake) ;;
            *.[ch] | *.cpp | *.def)
                grep -qzE "^/\*\s \* ${name//./\\.} - [^ ]" <<<"$head" ||
                    report "$file:2: the file does not start with '/*', ' * $name - what it is'"
                ;;
            *.py) grep -qE "^(# ${name//./\\.} - |\"\"\")[^ ]" <<<"$head" ||
                report "$file:1: neither a docstring nor '# $name - what it is'" ;;
            *) grep -qE "^# ${name//./\\.} - [^ ]" <<<"$head" ||
                report "$file:2: no line '# $name - what it is'" ;;
        esac
    done
}

check_sizes() {
    local file lines limit
    for file in "${code[@]}"; do
        lines=$(wc -l <"$file")
        limit=500
        case "$file" in
            CMakeLists.txt) limit=200 ;;
            *.def) continue ;; # tables: a row an entry, and nothing to split by
            include/broadloom/broadloom.h) limit=800 ;; # users have one header to read
        esac
        [ "$lines" -le $limit ] || report "$file:$lines: longer than $limit lines"
    done
}

check_format() {
    if ! command -v clang-format >/dev/null; then
        report "clang-format is not installed"
        return
    fi
    report_lines "not as clang-format has it; clang-format -i mends it" < <(
        clang-format --dry-run "${c_files[@]}" 2>&1 |
            sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: .*clang-format-violations.*/\1/p' | sort -u)
}

check_shell() {
    local file scripts=()
    for file in "${code[@]}"; do
        case $file in *.sh | .ci/run) scripts+=("$file") ;; esac
    done
    command -v shellcheck >/dev/null || return 0
    report_lines "shellcheck" < <(shellcheck -S warning -f gcc "${scripts[@]}" || true)
}

# area: what it does, at most 60 characters, no full stop; the second line is empty.
check_commits() {
    local id subject second
    in_git && git rev-parse -q --verify HEAD >/dev/null || return 0
    while read -r id; do
        subject=$(git log -1 --format=%B "$id" | sed -n 1p)
        second=$(git log -1 --format=%B "$id" | sed -n 2p)
        [ ${#subject} -le 60 ] || report "commit ${id:0:10}: the subject is longer than 60 characters"
        [[ $subject != *. ]] || report "commit ${id:0:10}: the subject ends in a full stop"
        [[ $subject =~ ^[a-z0-9][a-z0-9/,._-]*:\ [^\ ] ]] ||
            report "commit ${id:0:10}: the subject is not 'area: what it does'"
        [ -z "$second" ] || report "commit ${id:0:10}: the second line is not empty"
    done < <(git rev-list --no-merges --max-count=20 HEAD)
}

check_text
check_heads
check_sizes
check_format
check_shell
check_commits

echo "style: ${#text[@]} files, $faults faults"
[ "$faults" -eq 0 ]
