// The page: loads Python from files beside it, hands texts to play.py, and shows what comes back.
import { loadPyodide } from "./pyodide.mjs";

const at = (id) => document.getElementById(id);
const say = (text) => { at("status").textContent = text; };
const SAMPLE = [
  { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } },
  { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } },
  { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/home/you/project", mcpServers: [] } },
  { jsonrpc: "2.0", id: 1, result: { sessionId: "s1" } },
  { jsonrpc: "2.0", id: 2, method: "session/prompt", params: { sessionId: "s1", prompt: [{ type: "text", text: "Hello" }] } },
  { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text" } } } },
  { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } },
].map((message) => JSON.stringify(message)).join("\n");

let frames = [], now = 0, play, original;

const element = (name, attributes, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
};

function draw() {
  const [left, right, row] = [110, 490, 30];
  const svg = element("svg", { viewBox: `0 0 600 ${(frames.length + 2) * row}`, role: "img", "aria-label": `${frames.length} frames between client and agent` });
  for (const [x, name] of [[left, "Client"], [right, "Agent"]]) {
    svg.append(element("text", { x, y: 18, "text-anchor": "middle" }, name));
    svg.append(element("line", { x1: x, x2: x, y1: 26, y2: (frames.length + 1.5) * row }));
  }
  frames.forEach((frame, index) => {
    const y = (index + 2) * row, toAgent = frame.direction === "client-to-agent", tip = toAgent ? right : left, back = toAgent ? -8 : 8;
    const bad = frame.findings.some((each) => each.level === "error");
    const group = element("g", { class: `${bad ? "bad" : ""} ${index === now ? "now" : ""}` });
    group.append(element("rect", { x: 0, y: y - 20, width: 600, height: row - 2 }));
    group.append(element("text", { x: 8, y }, `${index + 1}${bad ? " ✗" : ""}`));
    group.append(element("line", { x1: left, x2: right, y1: y + 4, y2: y + 4 }));
    group.append(element("line", { x1: tip, x2: tip + back, y1: y + 4, y2: y }), element("line", { x1: tip, x2: tip + back, y1: y + 4, y2: y + 8 }));
    group.append(element("text", { x: 300, y, "text-anchor": "middle" }, frame.label));
    group.addEventListener("click", () => step(index));
    svg.append(group);
  });
  at("diagram").replaceChildren(svg);
  svg.querySelector(".now")?.scrollIntoView({ block: "nearest" });
}

function step(to) {
  now = Math.min(Math.max(to, 0), frames.length - 1);
  draw();
  const frame = frames[now], shown = at("frame"), pre = document.createElement("pre");
  shown.replaceChildren(...frame.findings.map((each) => {
    const line = document.createElement("p");
    line.className = each.level;
    line.textContent = `${each.level}[${each.id}] ${each.message}; ${each.instead}`;
    return line;
  }));
  try { pre.textContent = JSON.stringify(JSON.parse(frame.text), null, 2); } catch { pre.textContent = frame.text; }
  shown.append(pre);
  const bad = frames.reduce((sum, each) => sum + each.findings.length, 0);
  at("where").textContent = `Frame ${now + 1} of ${frames.length}, ${bad} finding${bad === 1 ? "" : "s"}`;
  at("back").disabled = now === 0;
  at("next").disabled = now === frames.length - 1;
}

// Python keeps the page busy: what is said first must be drawn first.
const busy = async (what, work) => {
  say(what);
  await new Promise((done) => setTimeout(done, 50));
  try { work(); say("Ready."); } catch (error) { say(`Failed: ${error.message.trim().split("\n").pop()}`); }
};

at("check").addEventListener("click", () => busy("Validating …", () => {
  frames = JSON.parse(play.frames(at("transcript").value));
  if (frames.length) step(Math.max(frames.findIndex((frame) => frame.findings.length), 0));
  else { at("diagram").replaceChildren(); at("frame").replaceChildren(); at("where").textContent = "There is no message."; }
}));
at("back").addEventListener("click", () => step(now - 1));
at("next").addEventListener("click", () => step(now + 1));
at("diff").addEventListener("click", () => busy("Comparing …", () => {
  at("report").textContent = JSON.parse(play.difference(original, at("schema").value)).text;
}));

try {
  at("transcript").value = SAMPLE;
  const [python, packages, schema] = await Promise.all([
    loadPyodide({ indexURL: new URL(".", import.meta.url).href }),
    fetch("packages.zip").then((found) => found.arrayBuffer()),
    fetch("schema.json").then((found) => found.text()),
  ]);
  at("schema").value = original = schema;
  python.unpackArchive(packages, "zip");
  play = python.pyimport("play");
  for (const id of ["check", "diff"]) at(id).disabled = false;
  say("Ready.");
} catch (error) {
  say(`Python could not be loaded: ${error.message}. The page needs a web server: python -m http.server`);
}
