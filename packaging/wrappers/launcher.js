#!/usr/bin/env node
// Starts the binary of this platform, which npm installed as an optional dependency.
"use strict";
const { spawn } = require("node:child_process");

const name = `citeloop-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/citeloop${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`citeloop: missing package ${name}; install without --omit=optional, or see https://github.com/citeloop/citeloop#install for other ways`);
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (err) => {
  console.error(`citeloop: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  for (const s of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(s);
  process.kill(process.pid, signal);
});
