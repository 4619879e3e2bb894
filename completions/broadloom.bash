# broadloom.bash - bash completion for the broadloom tool
#
# SPDX-License-Identifier: Apache-2.0

# The options of a command, as its --help lists them; a test compares the two.
_broadloom_options() {
    case $1 in
    apply)
        echo '-o --output --opset -a --attr -b --backend -p --profile -t --threads -n --name -f --format --full' \
            '--max-bytes --max-elements --max-work'
        ;;
    conform)
        echo '-b --backend -k --filter -f --format --honour-skips -v --verbose' \
            '--max-bytes --max-elements --max-work'
        ;;
    info | ops) echo '-f --format' ;;
    inspect) echo '-f --format -o --output -s --shape --dim --max-bytes --max-elements --max-work' ;;
    run)
        echo '-i --input -o --output -d --output-dir -r --random -s --shape --dim -b --backend' \
            '-p --profile --no-fuse -t --threads' \
            '-n --repeat -f --format --full --max-bytes --max-elements --max-work'
        ;;
    shape) echo '--onto --axis -f --format' ;;
    esac
    echo '-h --help'
}

_broadloom_formats() {
    case $1 in
    conform) echo 'pretty tap junit json' ;;
    inspect) echo 'pretty json dot svg' ;;
    ops) echo 'pretty json markdown' ;;
    *) echo 'pretty json' ;;
    esac
}

# Operator names, from the tool itself.
_broadloom_operators() {
    "${COMP_WORDS[0]}" ops --names 2>/dev/null
}

# True if the words before the current one hold no operand after the command yet.
_broadloom_first_operand() {
    local i
    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -o | --output | --opset | -a | --attr | -b | --backend | -t | --threads | -n | --name | \
            -f | --format | --max-bytes | --max-elements | --max-work) ((i++)) ;;
        -*) ;;
        *) return 1 ;;
        esac
    done
    return 0
}

_broadloom() {
    local commands='apply conform help info inspect ops run shape'
    local current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]}
    local words=

    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words="$commands --help --version"
    elif [[ $command == help ]]; then
        words=$commands
    elif [[ $previous == -f || $previous == --format ]]; then
        words=$(_broadloom_formats "$command")
    elif [[ $previous == -b || $previous == --backend ]]; then
        words='cpu vulkan reference'
    elif [[ $current == -* ]]; then
        words=$(_broadloom_options "$command")
    elif [[ $command == apply || $command == ops ]] && _broadloom_first_operand; then
        words=$(_broadloom_operators)
    elif [[ $command =~ ^(apply|conform|inspect|run)$ ]]; then
        # The names of files, which -o default completes.
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -o default -F _broadloom broadloom
