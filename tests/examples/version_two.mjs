// A client on the official TypeScript SDK's experimental API of version 2: `version_two.mjs CWD COMMAND...` drives the
// agent that the command starts through one session, and prints what it saw. Run where that SDK is installed.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.INTEROP_NODE_DIR, "package.json"));
const acp = await import(pathToFileURL(require.resolve("@agentclientprotocol/sdk/experimental/v2")));
const { agent: toAgent, client: toClient } = acp.methods;

const [cwd, program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
const asked = [];
const app = acp.client({ name: "version-two" }).onRequest(toClient.session.requestPermission, ({ params }) => {
  asked.push(params);
  return { outcome: { outcome: "selected", optionId: params.options[0].optionId } };
});
const report = await app.connectWith(stream, async (agent) => {
  const opened = await agent.request(toAgent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    capabilities: {},
    info: { name: "version-two", version: "1" },
  });
  const session = await agent.buildSession(cwd).start();
  await session.setConfigOption({ configId: "model", type: "id", value: "large" });
  const turns = [];
  for (const text of ["/run echo hello", "/edit notes.txt milk"]) {
    await session.prompt(text);
    const updates = [];
    let message;
    while ((message = await session.nextUpdate()).kind !== "stop") updates.push(message.update);
    turns.push({ updates, stopReason: message.stopReason });
  }
  await session.setConfigOption({ configId: "mode", type: "id", value: "auto" });
  const options = session.configOptions.map((each) => [each.configId, each.currentValue]);
  const { sessions } = await agent.request(toAgent.session.list, {});
  const id = session.sessionId;
  await agent.request(toAgent.session.close, { sessionId: id });
  return { version: opened.protocolVersion, turns, options, asked, id, listed: sessions.map((each) => each.sessionId) };
});
child.stdin.end();
process.stdout.write(JSON.stringify(report));
