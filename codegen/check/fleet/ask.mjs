// Read messages with an installed npm SDK: questions as JSON on standard input, answers in `answers.json`.
//
//     node ask.mjs PACKAGE        in the folder that has node_modules
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const home = join(process.cwd(), "node_modules", process.argv[2]);
const files = readdirSync(home, { recursive: true }).filter(
  (name) => /(^|[\\/])zod[^\\/]*\.js$/.test(name) && !name.includes("node_modules"),
);
const depth = (name) => name.split(/[\\/]/).length;
files.sort((one, other) => depth(other) - depth(one)); // later versions of a protocol have folders of their own
const known = {};
for (const name of files) Object.assign(known, await import(pathToFileURL(join(home, name)).href));

// The paths of members that a value has no more.
function lost(before, after, path) {
  if (before === null || before === after) return [];
  if (typeof before !== "object" || typeof after !== "object" || after === null) return [path];
  return Object.keys(before).flatMap((key) => {
    const inner = Array.isArray(before) ? `${path}[${key}]` : `${path}.${key}`;
    return key in after ? lost(before[key], after[key], inner) : before[key] === null ? [] : [inner];
  });
}

function answer({ definition, message }) {
  const type = known[`z${definition}`];
  if (type === undefined) return ["unknown", ""];
  const read = type.safeParse(message);
  if (!read.success) {
    const [first] = read.error.issues;
    return ["rejects", `${first.path.join(".")}: ${first.message}`];
  }
  const gone = lost(message, read.data, "$");
  return gone.length ? ["drops", gone.join(", ")] : ["reads", ""];
}

const questions = JSON.parse(readFileSync(0, "utf8"));
writeFileSync("answers.json", JSON.stringify(questions.map(answer)));
