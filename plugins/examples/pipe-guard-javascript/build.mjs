// Builds the hook: node build.mjs WIT COMPONENT
import { writeFile } from "node:fs/promises";
import { componentize } from "@bytecodealliance/componentize-js";

const [wit, file] = process.argv.slice(2);
const { component } = await componentize({
  sourcePath: "hook.js",
  witPath: wit,
  worldName: "spawn-plugin",
  disableFeatures: ["http", "fetch-event"],
});
await writeFile(file, component);
