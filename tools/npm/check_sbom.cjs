// check_sbom.cjs - hold a bill of materials against the schema of CycloneDX
// SPDX-License-Identifier: Apache-2.0
//
// Usage: node check_sbom.cjs FILE...
// Run by tools/sbom.py, in the folder that npm has filled.  The schema is the official one, as it
// comes with @cyclonedx/cyclonedx-library; "strict" allows no member that it does not name.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { resolve } = require("node:path");

const load = createRequire(resolve("package.json"));
const { Spec, Validation } = load("@cyclonedx/cyclonedx-library");

async function main(files) {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  let faults = 0;
  for (const file of files) {
    const errors = await validator.validate(readFileSync(file, "utf8"));
    for (const error of errors ?? []) {
      faults += 1;
      console.log(`${file}: ${error.instancePath}: ${error.message}`);
    }
  }
  console.log(`sbom: ${files.length} held against the schema of CycloneDX 1.6, ${faults} faults`);
  process.exitCode = faults === 0 ? 0 : 1;
}

main(process.argv.slice(2)).catch((error) => {
  console.error(`sbom: ${error.stack}`);
  process.exitCode = 2;
});
