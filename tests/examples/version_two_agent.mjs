// An agent on the official TypeScript SDK's experimental API of version 2, on stdio: each prompt gets a tool call with a
// permission, a terminal and a diff, and a whole message. Run where that SDK is installed.

import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.INTEROP_NODE_DIR, "package.json"));
const acp = await import(pathToFileURL(require.resolve("@agentclientprotocol/sdk/experimental/v2")));
const { agent: toAgent, client: toClient } = acp.methods;
const encoded = (text) => Buffer.from(text).toString("base64");

async function turn(client, sessionId) {
  const tell = (sessionUpdate, members) =>
    client.notify(toClient.session.update, { sessionId, update: { sessionUpdate, ...members } });
  const call = { toolCallId: "call_1" };
  await tell("state_update", { state: "running" });
  await tell("tool_call_update", { ...call, title: "Run ls", kind: "execute", status: "pending" });
  const { outcome } = await client.request(toClient.session.requestPermission, {
    sessionId,
    title: "Run ls?",
    subject: { type: "tool_call", toolCall: { ...call, title: "Run ls?" } },
    options: [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
  });
  await tell("terminal_update", { terminalId: "term_1", command: "ls", cwd: "/project" });
  await tell("tool_call_update", { ...call, status: "in_progress", content: [{ type: "terminal", terminalId: "term_1" }] });
  await tell("terminal_output_chunk", { terminalId: "term_1", data: encoded("readme.md\n") });
  await tell("terminal_update", { terminalId: "term_1", exitStatus: { exitCode: 0 } });
  const changes = [{ operation: "modify", path: "/project/readme.md" }];
  const patch = { format: "git_patch", text: "@@ -1 +1 @@\n-a\n+b\n" };
  await tell("tool_call_content_chunk", { ...call, content: { type: "diff", changes, patch } });
  await tell("tool_call_update", { ...call, status: "completed" });
  await tell("agent_message", { messageId: "m_2", content: [{ type: "text", text: `you chose ${outcome.optionId}` }] });
  await tell("state_update", { state: "idle", stopReason: "end_turn" });
}

acp
  .agent({ name: "version-two" })
  .onRequest(toAgent.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    info: { name: "version-two", version: "1" },
    capabilities: {},
  }))
  .onRequest(toAgent.session.new, () => ({ sessionId: "sess_1" }))
  .onRequest(toAgent.session.list, () => ({ sessions: [{ sessionId: "sess_1", cwd: "/project" }] }))
  .onRequest(toAgent.session.prompt, ({ params, client }) => {
    setTimeout(() => turn(client, params.sessionId));
    return { messageId: "m_1" };
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
