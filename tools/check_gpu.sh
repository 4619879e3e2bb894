#!/usr/bin/env bash
# check_gpu.sh - the GPU backend on the Vulkan devices of this machine, under the validation layer
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/check_gpu.sh [--quick] BUILD [ICD...]
# An ICD is a file that names a driver; by default lavapipe's, and SwiftShader's, which comes with
# Debian's chromium and stands for the least that a device may be able to do.  On each run the tests of
# devices, random graphs, the fixtures and, where they are there, the suites of ../shared.  What a device
# cannot do is skipped, and counted.  BL_GRAPHS says how many graphs (50).  --quick: a few of all that.
# Fails where a result is wrong, or where the validation layer says anything.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
quick=
if [ "${1:-}" = --quick ]; then
    quick=yes
    shift
fi
build=$(realpath "${1:?usage: tools/check_gpu.sh [--quick] BUILD [ICD...]}")
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

faults=0
# try NAME COMMAND...: run it, and look for what the validation layer has said.
try() {
    local name=$1 log=$logs/$driver-$1.log since=$SECONDS status=0
    shift
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ] || grep -qE 'VUID|UNASSIGNED|Validation (Error|Warning)' "$log"; then
        faults=$((faults + 1))
        grep -E 'VUID|UNASSIGNED|FAIL' "$log" | head -n 10 || true
        echo "$driver: $name FAILED (exit status $status, see $log)"
    fi
    printf '%s: %s, %s (%d s)\n' "$driver" "$name" "$(tail -n 1 "$log")" $((SECONDS - since))
}

# Paths of suites, those beside the project where they are there.
suites=("$root/fixtures")
beside=(spec/seed-sum.json faults onnx-node-tests)
graphs=50
if [ -n "$quick" ]; then # one of each way to compute, and of each width
    suites=()
    for operator in Add Div MatMul Where graphs; do
        suites+=("$root/fixtures/$operator.json")
    done
    beside=(spec/seed-sum.json)
    graphs=10
fi
for suite in "${beside[@]}"; do
    if [ -e "$root/../shared/$suite" ]; then
        suites+=("$root/../shared/$suite")
    else
        echo "check-gpu: ../shared/$suite is not there, and is skipped"
    fi
done

for icd in "${drivers[@]}"; do
    driver=$(basename "$icd" .json)
    export VK_ICD_FILENAMES=$icd VK_DRIVER_FILES=$icd BL_SHADER_CACHE=$logs/shaders-$driver
    mkdir -p "$BL_SHADER_CACHE"
    try info "$build/broadloom" info
    try tensors "$build/tests/device_test"
    if grep -q "^skipped:" "$logs/$driver-tensors.log"; then
        grep "^skipped:" "$logs/$driver-tensors.log"
        echo "$driver: FAILED, there is a driver but no device"
        faults=$((faults + 1))
        continue
    fi
    for suite in "${suites[@]}"; do
        # SwiftShader takes minutes to compile what has to be done in integers there.
        [[ -z $quick || $driver != *swiftshader* || $suite == *@(Add|seed-sum).json ]] || continue
        try "$(basename "$suite" .json)" "$build/broadloom" conform --backend vulkan "$suite"
    done
    [[ -z $quick || $driver != *swiftshader* ]] || continue
    BL_GRAPHS=${BL_GRAPHS:-$graphs} BL_TEST_BACKEND=vulkan try graphs "$build/tests/random_graph_test"
done
echo "check-gpu: ${#drivers[@]} devices, $faults faults"
[ "$faults" -eq 0 ]
