// Starts the language server of acp-codegen for the JSON files of a workspace.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate() {
  const [command, ...args] = vscode.workspace.getConfiguration("acpCodegen").get("command");
  client = new LanguageClient(
    "acpCodegen",
    "acp-codegen",
    { command, args },
    { documentSelector: [{ scheme: "file", language: "json" }] },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `acp-codegen: cannot start \`${[command, ...args].join(" ")}\`: ${error.message}. ` +
        "Install acp-codegen[lsp] with pip, or set acpCodegen.command to the path of the program.",
    );
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
