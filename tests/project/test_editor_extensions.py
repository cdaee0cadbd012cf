"""The VS Code extension: built as a .vsix, unpacked and loaded, it shows the findings of the real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.codegen.docsite.npm import installed

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "editors" / "vscode"
MANIFEST = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))

HOST = r"""
// A stand-in for the extension host: a module `vscode` with the settings, and a client that speaks over real pipes.
const [extension, folder, command] = process.argv.slice(2);
const Module = require("module");
const { spawn } = require("child_process");
const { readFileSync } = require("fs");
const { join } = require("path");
const { pathToFileURL } = require("url");
const within = Module.createRequire(join(extension, "extension.js"));
within.resolve("vscode-languageclient/node");  // it is in the package
const rpc = createMessages(within);
const shown = [], errors = [], clients = [];

function createMessages(require) {
  const client = Module.createRequire(require.resolve("vscode-languageclient/node"));
  return Module.createRequire(client.resolve("vscode-languageserver-protocol/node"))("vscode-jsonrpc/node");
}

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { server, options });
    clients.push(this);
  }
  async start() {
    this.child = spawn(this.server.command, this.server.args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    await new Promise((done, failed) => this.child.once("spawn", done).once("error", failed));
    this.connection = rpc.createMessageConnection(
      new rpc.StreamMessageReader(this.child.stdout), new rpc.StreamMessageWriter(this.child.stdin));
    this.connection.listen();
    const rootUri = pathToFileURL(folder).href;
    await this.connection.sendRequest("initialize", { processId: process.pid, rootUri, capabilities: {} });
    await this.connection.sendNotification("initialized", {});
  }
  findings(name) {
    const path = join(folder, name), uri = pathToFileURL(path).href;
    const textDocument = { uri, languageId: "json", version: 1, text: readFileSync(path, "utf8") };
    return new Promise((done) => {
      this.connection.onNotification("textDocument/publishDiagnostics", (params) => {
        if (params.uri === uri) done(params.diagnostics.map((each) => each.code));
      });
      this.connection.sendNotification("textDocument/didOpen", { textDocument });
    });
  }
  async stop() {
    await this.connection.sendRequest("shutdown");
    const left = new Promise((done) => this.child.once("exit", done));
    await this.connection.sendNotification("exit");
    this.code = await left;
  }
}

const vscode = {
  workspace: { getConfiguration: (section) => ({ get: (name) => ({ [section + "." + name]: JSON.parse(command) })["acpCodegen.command"] }) },
  window: { showErrorMessage: (text) => shown.push(text) },
};
const stubs = { vscode, "vscode-languageclient/node": { LanguageClient } };
const load = Module._load;
Module._load = (name, ...rest) => stubs[name] ?? load(name, ...rest);

(async () => {
  const entry = within(extension);
  await entry.activate({ subscriptions: [] });
  const client = clients[0], found = {};
  if (!shown.length) for (const name of ["schema.json", "package.json"]) found[name] = await client.findings(name);
  await entry.deactivate();
  console.log(JSON.stringify({ found, shown, code: client.code, selector: client.options.documentSelector }));
})();
"""


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that VS Code would load: built by vsce from the committed files and unpacked."""
    vsce = installed("@vscode/vsce") / "node_modules" / ".bin" / "vsce"
    made = tmp_path_factory.mktemp("vscode")
    build = made / "build"
    shutil.copytree(SOURCE, build)
    npm = shutil.which("npm")
    assert npm is not None
    ran = subprocess.run(
        [npm, "install", "--no-package-lock", "--no-audit", "--no-fund"],
        cwd=build,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    if ran.returncode:
        pytest.skip(f"npm cannot install the extension's dependencies: {ran.stderr[-300:]}")
    command = [str(vsce), "package", "--skip-license", "--allow-missing-repository", "--out", str(made / "made.vsix")]
    ran = subprocess.run(command, cwd=build, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    with zipfile.ZipFile(made / "made.vsix") as packed:
        packed.extractall(made / "unpacked")
    return made / "unpacked" / "extension"


def hosted(extension: Path, folder: Path, command: list[str]) -> dict[str, object]:
    """What an extension host sees: findings by file, error messages, the server's exit code."""
    program = folder.parent / "host.cjs"
    program.write_text(HOST, encoding="utf-8")
    ran = subprocess.run(
        ["node", program, extension, folder, json.dumps(command)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return dict(json.loads(ran.stdout))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "schema.json").write_text('{"$defs": {"Open": {"$ref": "#/$defs/Missing"}}}', encoding="utf-8")
    (folder / "package.json").write_text('{"name": "open", "version": "1.0.0"}', encoding="utf-8")
    return folder


@pytest.mark.environment
def test_the_built_extension_shows_the_findings_of_a_schema_and_none_of_other_files(
    extension: Path, workspace: Path
) -> None:
    seen = hosted(extension, workspace, [sys.executable, "-m", "codegen", "lsp"])
    found = seen["found"]
    assert isinstance(found, dict)
    assert "ref-unresolved" in found["schema.json"]
    assert found["package.json"] == []
    assert (seen["shown"], seen["code"]) == ([], 0)
    assert seen["selector"] == [{"scheme": "file", "language": "json"}]


@pytest.mark.environment
def test_a_server_that_is_missing_is_told_with_the_remedy(extension: Path, workspace: Path) -> None:
    seen = hosted(extension, workspace, ["no-such-program-here", "lsp"])
    assert isinstance(seen["shown"], list)
    (told,) = seen["shown"]
    assert "cannot start `no-such-program-here lsp`" in told
    assert "acpCodegen.command" in told


def test_the_default_command_is_one_of_ours() -> None:
    default = MANIFEST["contributes"]["configuration"]["properties"]["acpCodegen.command"]["default"]
    assert default[0] == "acp-codegen"
    ran = subprocess.run(
        [sys.executable, "-m", "codegen", *default[1:], "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    assert "language server" in ran.stdout.lower() or "lsp" in ran.stdout.lower()


def test_no_lock_file_and_no_dependencies_are_committed() -> None:
    ran = subprocess.run(["git", "ls-files", "editors"], cwd=ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        pytest.skip("not a checkout of git")
    assert [name for name in ran.stdout.split() if "node_modules" in name or "lock" in name] == []
