#!/usr/bin/env bash
# check_gpu.sh - the GPU backend on the Vulkan devices of this machine, under the validation layer
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/check_gpu.sh [--quick|--sample] BUILD [ICD...]
# An ICD is a file that names a driver; by default lavapipe's, and SwiftShader's, which comes with
# Debian's chromium and stands for the least that a device may be able to do.  On each run the tests of
# devices, random graphs, the fixtures and, where they are there, the suites of ../shared, as many at once
# as there are processors.  What a device cannot do is skipped, and counted.  BL_GRAPHS says how many
# graphs (50).  --quick: all of that on lavapipe, but on SwiftShader, which takes minutes to compile what
# has to be done in integers there, Add and the cases of Sum alone.  --sample: some operators on lavapipe
# alone, which run most lines of the backend, as coverage wants.
# Fails where a result is wrong, or where the validation layer says anything.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
some=
if [ "${1:-}" = --quick ] || [ "${1:-}" = --sample ]; then
    some=$1
    shift
fi
build=$(realpath "${1:?usage: tools/check_gpu.sh [--quick|--sample] BUILD [ICD...]}")
shift
drivers=("$@")
logs=$build/gpu
mkdir -p "$logs"

if [ ${#drivers[@]} -eq 0 ]; then
    for file in /usr/share/vulkan/icd.d/lvp_icd*.json /usr/lib/chromium/vk_swiftshader_icd.json; do
        [ ! -f "$file" ] || drivers+=("$file")
    done
fi
if [ ${#drivers[@]} -eq 0 ]; then
    echo "check-gpu: skipped, there is no Vulkan driver (Debian: mesa-vulkan-drivers)"
    exit 0
fi

layer=VK_LAYER_KHRONOS_validation
if [ -f /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json ]; then
    export VK_INSTANCE_LAYERS=$layer
else
    echo "check-gpu: without $layer (Debian: vulkan-validationlayers)"
fi

# try LOG COMMAND...: run it, and look for what the validation layer has said.
try() {
    local log=$1 status=0
    shift
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ] || grep -qE 'VUID|UNASSIGNED|Validation (Error|Warning)' "$log"; then
        grep -E 'VUID|UNASSIGNED|FAIL' "$log" | head -n 10 || true
        echo "$(basename "$log" .log) FAILED (exit status $status, see $log)"
        return 1
    fi
}
export -f try
export conform="$build/broadloom conform --backend vulkan"

# What `conform` said last in all logs of a kind, as one sum.
sum_of() {
    tail -q -n 1 "$@" | awk '{ p += $1; f += $3; s += $5 }
        END { printf "%d passed, %d failed, %d skipped", p, f, s }'
}

# Paths of suites, the largest first, so that none is left over at the end.
mapfile -t fixtures < <(ls -S "$root"/fixtures/*.json)
beside=()
for suite in spec/seed-sum.json faults onnx-node-tests; do
    if [ -e "$root/../shared/$suite" ]; then
        beside+=("$root/../shared/$suite")
    else
        echo "check-gpu: ../shared/$suite is not there, and is skipped"
    fi
done

faults=0
for icd in "${drivers[@]}"; do
    driver=$(basename "$icd" .json)
    since=$SECONDS
    suites=("${fixtures[@]}" "${beside[@]}")
    graphs=${BL_GRAPHS:-50}
    if [[ $some == --sample ]]; then
        suites=()
        graphs=20
        for operator in Add BitCast Cast Clip Concat Div Gemm MatMul Mod Pow Slice Sum Transpose Where graphs; do
            suites+=("$root/fixtures/$operator.json")
        done
    fi
    if [[ -n $some && $driver == *swiftshader* ]]; then
        suites=("$root/fixtures/Add.json")
        [[ $some == --sample || ! -e "$root/../shared/spec/seed-sum.json" ]] || suites+=("$root/../shared/spec/seed-sum.json")
        graphs=0
    fi
    export VK_ICD_FILENAMES=$icd VK_DRIVER_FILES=$icd BL_SHADER_CACHE=$logs/shaders-$driver
    export prefix=$logs/$driver
    mkdir -p "$BL_SHADER_CACHE"
    rm -f "$prefix"-*.log
    try "$prefix-info.log" "$build/broadloom" info || faults=$((faults + 1))
    try "$prefix-run.log" "$build/broadloom" run "$root/examples/gelu/gelu.onnx" --random 1 \
        --backend vulkan --profile || faults=$((faults + 1))
    try "$prefix-tensors.log" "$build/tests/device_test" || faults=$((faults + 1))
    if grep "^skipped:" "$prefix-tensors.log"; then
        echo "$driver: FAILED, there is a driver but no device"
        faults=$((faults + 1))
        continue
    fi
    # shellcheck disable=SC2016 # the new shell's variables
    printf '%s\n' "${suites[@]}" | xargs -P "$(nproc 2>/dev/null || echo 2)" -I{} \
        bash -c 'try "$prefix-conform-$(basename "$1").log" $conform "$1"' _ {} ||
        faults=$((faults + 1))
    echo "$driver: ${#suites[@]} suites, $(sum_of "$prefix"-conform-*.log) ($((SECONDS - since)) s)"
    [ "$graphs" -gt 0 ] || continue
    BL_GRAPHS=$graphs BL_TEST_BACKEND=vulkan try "$prefix-graphs.log" \
        "$build/tests/random_graph_test" || faults=$((faults + 1))
    echo "$driver: $(grep graphs: "$prefix-graphs.log" || tail -n 1 "$prefix-graphs.log")"
done
echo "check-gpu: ${#drivers[@]} devices, $faults faults"
[ "$faults" -eq 0 ]
