// A game of connect four through the official TypeScript SDK, which MCP_SDK holds.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(`${process.env.MCP_SDK}/package.json`));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

const client = new Client({ name: "test", version: "1" });
const args = ["mcp", "--store", process.env.MEEPLE_STORE];
await client.connect(new StdioClientTransport({ command: process.env.MEEPLE, args }));

/** Calls a tool and returns its structured answer. */
async function call(name, tool) {
  const answer = await client.callTool({ name, arguments: tool });
  if (answer.isError) throw new Error(answer.content[0].text);
  return answer.structuredContent;
}

const opened = await call("open_table", { game: "connect-four", opponents: ["random"] });
let state = opened.state;
while (state.status === "your_turn") {
  const action = state.legal_actions.at(-1);
  state = await call("play", { ticket: opened.ticket, action });
}
console.log(state.status);
await client.close();
