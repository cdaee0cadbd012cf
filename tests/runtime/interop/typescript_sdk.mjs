// The official TypeScript SDK's peers for the conversation in scenario.py; run where that SDK is installed.
//
// typescript_sdk.mjs agent                 an agent on stdio
// typescript_sdk.mjs serve                 an agent over HTTP and WebSocket, print its address
// typescript_sdk.mjs client URL            drive the agent at an http or ws address, print the report
// typescript_sdk.mjs client COMMAND...     drive the agent that the command starts, print the report
// typescript_sdk.mjs turns URL             prompt the agent until standard input ends, again after each rejection, print the report
// typescript_sdk.mjs life COMMAND...       take a session of that agent through its whole life, print the report

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";

// The SDK lies in a directory of the test run, not beside this file.
const require = createRequire(join(process.env.INTEROP_NODE_DIR, "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const acp = await load("@agentclientprotocol/sdk/unstable");

const here = dirname(fileURLToPath(import.meta.url));
const examples = join(here, "../../../examples/messages/client/session/update");
const read = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));
const script = read(here, "script.json");
const updates = [...script.common, ...script.newest].map((name) => read(examples, `${name}.notification.json`).update);

const pages = { "": [["sess_1", "sess_2"], "page-2"], "page-2": [["sess_3"], undefined] };
const files = { "/project/readme.md": "# Read me\n" };
const missing = "/project/missing.md";
const output = "hello from the terminal\n";

const { agent: toAgent, client: toClient } = acp.methods;

function makeAgent() {
  const cancels = new Map();
  const turns = {
    async updates(client, sessionId) {
      for (const update of updates) await client.notify(toClient.session.update, { sessionId, update });
    },
    async permission(client, sessionId) {
      const { outcome } = await client.request(toClient.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: "call_1", title: "Delete everything" },
        options: [
          { optionId: "yes", name: "Allow", kind: "allow_once" },
          { optionId: "no", name: "Reject", kind: "reject_once" },
        ],
      });
      await say(client, sessionId, outcome.optionId ?? "cancelled");
    },
    async files(client, sessionId) {
      const { content } = await client.request(toClient.fs.readTextFile, { sessionId, path: Object.keys(files)[0] });
      await client.request(toClient.fs.writeTextFile, { sessionId, path: "/project/note.md", content: "note" });
      await say(client, sessionId, `${content}written: note`);
    },
    async terminal(client, sessionId) {
      const { terminalId } = await client.request(toClient.terminal.create, { sessionId, command: "echo", args: ["hello"] });
      const where = { sessionId, terminalId };
      const exit = await client.request(toClient.terminal.waitForExit, where);
      const { output } = await client.request(toClient.terminal.output, where);
      await client.request(toClient.terminal.kill, where);
      await client.request(toClient.terminal.release, where);
      await say(client, sessionId, `${output}exit ${exit.exitCode}`);
    },
    async "missing file"(client, sessionId) {
      const error = await client.request(toClient.fs.readTextFile, { sessionId, path: missing }).catch((error) => error);
      await say(client, sessionId, String(error.code));
    },
    async fail() {
      throw acp.RequestError.resourceNotFound(missing);
    },
    async wait(client, sessionId) {
      const cancelled = new Promise((resolve) => cancels.set(sessionId, resolve));
      await say(client, sessionId, "waiting");
      await cancelled;
      return "cancelled";
    },
    // A prompt that only the cancellation of its request ends.
    async hang(client, sessionId, signal) {
      const givenUp = new Promise((resolve) => signal.addEventListener("abort", resolve));
      await say(client, sessionId, "hanging");
      if (!signal.aborted) await givenUp;
      throw acp.RequestError.requestCancelled();
    },
  };
  const say = (client, sessionId, text) =>
    client.notify(toClient.session.update, {
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    });

  const session = { list: {}, fork: {}, resume: {}, close: {}, delete: {} };
  return acp
    .agent({ name: "interop" })
    .onRequest(toAgent.initialize, () => ({
      protocolVersion: acp.PROTOCOL_VERSION,
      agentCapabilities: { loadSession: false, sessionCapabilities: session },
    }))
    .onRequest(toAgent.session.new, () => ({ sessionId: "sess_1" }))
    .onRequest(toAgent.session.list, ({ params }) => {
      const [ids, nextCursor] = pages[params.cursor ?? ""];
      return { sessions: ids.map((sessionId) => ({ sessionId, cwd: "/project" })), nextCursor };
    })
    .onRequest(toAgent.session.fork, () => ({ sessionId: "sess_fork" }))
    .onRequest(toAgent.session.resume, () => ({}))
    .onRequest(toAgent.session.close, () => {})
    .onRequest(toAgent.session.delete, () => {})
    .onNotification(toAgent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
    .onRequest(toAgent.session.prompt, async ({ params, client, signal }) => {
      const stopped = await turns[params.prompt[0].text](client, params.sessionId, signal);
      return { stopReason: stopped ?? "end_turn" };
    });
}

async function serve() {
  const { AcpServer } = await load("@agentclientprotocol/sdk/experimental/server");
  const { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } = await load("@agentclientprotocol/sdk/experimental/node");
  const { WebSocketServer } = require("ws");
  const server = new AcpServer({ createAgent: makeAgent });
  const listening = createServer(createNodeHttpHandler(server));
  listening.on("upgrade", createNodeWebSocketUpgradeHandler(server, new WebSocketServer({ noServer: true })));
  listening.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${listening.address().port}/acp`));
}

// A stream to the agent, and how to leave it.
async function reach([place, ...args]) {
  if (place.startsWith("http:")) {
    const { createHttpStream } = await load("@agentclientprotocol/sdk/experimental/http-client");
    return [createHttpStream(place), () => {}];
  }
  if (place.startsWith("ws:")) {
    const { createWebSocketStream } = await load("@agentclientprotocol/sdk/experimental/ws-client");
    return [createWebSocketStream(place, { WebSocket: require("ws") }), () => {}];
  }
  const child = spawn(place, args, { stdio: ["pipe", "pipe", "inherit"] });
  return [acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)), () => child.stdin.end()];
}

async function runClient(place) {
  const [stream, leave] = await reach(place);
  const received = [];
  let heard = () => {};
  // Messages over HTTP may overtake each other: the answer has a stream of its own.
  const arrived = (count) =>
    new Promise((resolve) => {
      heard = () => received.length >= count && resolve();
      heard();
    });
  const told = (text) =>
    new Promise((resolve) => {
      heard = () => received.at(-1).content?.text === text && resolve();
    });
  const written = {};
  const app = acp
    .client({ name: "interop" })
    .onNotification(toClient.session.update, ({ params }) => {
      received.push(params.update);
      heard();
    })
    .onRequest(toClient.session.requestPermission, ({ params }) => ({
      outcome: { outcome: "selected", optionId: params.options[0].optionId },
    }))
    .onRequest(toClient.fs.readTextFile, ({ params }) => {
      if (!(params.path in files)) throw acp.RequestError.resourceNotFound(params.path);
      return { content: files[params.path] };
    })
    .onRequest(toClient.fs.writeTextFile, ({ params }) => void (written[params.path] = params.content))
    .onRequest(toClient.terminal.create, () => ({ terminalId: "term_1" }))
    .onRequest(toClient.terminal.waitForExit, () => ({ exitCode: 0 }))
    .onRequest(toClient.terminal.output, () => ({ output, truncated: false }))
    .onRequest(toClient.terminal.kill, () => {})
    .onRequest(toClient.terminal.release, () => {});

  const report = await app.connectWith(
    stream,
    async (agent) => {
      const code = (call) => call.then(() => null, (error) => error.code);
      const opened = await agent.request(toAgent.initialize, {
        protocolVersion: acp.PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true, plan: {} },
      });
      const report = { version: opened.protocolVersion };
      const { sessionId } = await agent.request(toAgent.session.new, { cwd: "/project", mcpServers: [] });
      report.session = sessionId;
      report.pages = [];
      let cursor;
      do {
        const page = await agent.request(toAgent.session.list, cursor ? { cursor } : {});
        report.pages.push(page.sessions.map((session) => session.sessionId));
        cursor = page.nextCursor;
      } while (cursor);

      const turn = (text, options) =>
        agent.request(toAgent.session.prompt, { sessionId, prompt: [{ type: "text", text }] }, options);
      await turn("updates");
      await arrived(script.common.length);
      report.updates = [...received];
      for (const text of ["permission", "files", "terminal", "missing file"]) {
        const before = received.length;
        await turn(text);
        await arrived(before + 1);
        report[text] = received.at(-1).content.text;
      }
      report["failing turn"] = await code(turn("fail"));
      report["wrong params"] = await code(agent.request("session/new", { cwd: [] }));
      report["unknown method"] = await code(agent.request("_nobody/knows", {}));
      const begun = told("waiting");
      const waiting = turn("wait");
      await begun;
      await agent.notify(toAgent.session.cancel, { sessionId });
      report["cancelled turn"] = (await waiting).stopReason;
      const where = { sessionId, cwd: "/project", mcpServers: [] };
      report.forked = (await agent.request(toAgent.session.fork, where)).sessionId;
      report.resumed = Boolean(await agent.request(toAgent.session.resume, where));
      const giveUp = new AbortController();
      const hangs = told("hanging");
      const hanging = turn("hang", { cancellationSignal: giveUp.signal });
      await hangs;
      giveUp.abort();
      report["given up"] = await code(hanging);
      // No turn begins in a session that was closed.
      report.closed = Boolean(await agent.request(toAgent.session.close, { sessionId }));
      report.deleted = Boolean(await agent.request(toAgent.session.delete, { sessionId }));
      return report;
    },
  );
  leave();
  process.stdout.write(JSON.stringify(report));
}

// Each step of a session's life: what came of it, or the code of the error where the agent does not offer it.
async function runLife(place) {
  const [stream, leave] = await reach(place);
  let heard = [];
  const app = acp
    .client({ name: "interop" })
    .onNotification(toClient.session.update, ({ params: { sessionId, update } }) => {
      if (update.content?.type === "text") heard.push([sessionId, update.sessionUpdate, update.content.text]);
    });
  const report = await app.connectWith(stream, async (agent) => {
    const step = (method, params, shown) => agent.request(method, params).then(shown, (error) => error.code);
    const cwd = "/project";
    await agent.request(toAgent.initialize, { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
    const { sessionId } = await agent.request(toAgent.session.new, { cwd, mcpServers: [] });
    const named = (id) => (id === sessionId ? "first" : "fork");
    // The kinds and texts of what came, pieces of one message joined.
    const said = () => {
      const found = [];
      for (const [id, kind, text] of heard) {
        if (found.at(-1)?.[0] === named(id) && found.at(-1)[1] === kind) found.at(-1)[2] += text;
        else found.push([named(id), kind, text]);
      }
      heard = [];
      return found.filter(([, kind]) => kind !== "agent_thought_chunk");
    };
    const turn = async (id, text) => {
      const reason = await step(toAgent.session.prompt, { sessionId: id, prompt: [{ type: "text", text }] }, (answer) => answer.stopReason);
      return [reason, said()];
    };
    const where = { sessionId, cwd, mcpServers: [] };
    const list = () => step(toAgent.session.list, {}, ({ sessions }) => sessions.map((session) => named(session.sessionId)));
    const report = { prompt: await turn(sessionId, "hello"), list: await list() };
    report.close = await step(toAgent.session.close, { sessionId }, () => "closed");
    report.load = [await step(toAgent.session.load, where, () => "loaded"), said()];
    await step(toAgent.session.close, { sessionId }, () => "closed");
    report.resume = [await step(toAgent.session.resume, where, () => "resumed"), said()];
    const fork = await step(toAgent.session.fork, where, (answer) => answer.sessionId);
    report.fork = typeof fork === "number" ? fork : await turn(fork, "again");
    report.delete = [await step(toAgent.session.delete, { sessionId }, () => "deleted"), await list()];
    return report;
  });
  leave();
  process.stdout.write(JSON.stringify(report));
}

// A turn that failed is asked for again on another connection: its server must not have begun it.
async function runTurns(place) {
  let over = false;
  process.stdin.on("end", () => (over = true)).resume();
  const report = { asked: 0, turns: 0, failures: [] };
  let sessionId;
  while (!over) {
    const [stream] = await reach(place);
    const app = acp.client({ name: "interop" }).onNotification(toClient.session.update, () => {});
    let prompting = false;
    try {
      await app.connectWith(stream, async (agent) => {
        await agent.request(toAgent.initialize, { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
        const where = { cwd: "/project", mcpServers: [] };
        if (sessionId) await agent.request(toAgent.session.resume, { sessionId, ...where });
        else sessionId = (await agent.request(toAgent.session.new, where)).sessionId;
        prompting = true;
        while (!over) {
          const text = `/echo ${report.asked}`;
          await agent.request(toAgent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
          report.asked += 1;
        }
      });
    } catch (error) {
      report.turns += prompting;
      report.failures.push(`${error.message} ${JSON.stringify(error.data ?? null)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  process.stdout.write(JSON.stringify({ ...report, session: sessionId }));
  process.exit();
}

const [, , what] = process.argv;
if (what === "agent") makeAgent().connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
else if (what === "serve") await serve();
else if (what === "turns") await runTurns(process.argv.slice(3));
else if (what === "life") await runLife(process.argv.slice(3));
else await runClient(process.argv.slice(3));
