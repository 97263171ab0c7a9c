"""Agents of the official Python SDK play over standard input and output and over HTTP."""

import asyncio
import os
import subprocess
import tempfile
import unittest
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

MEEPLE = os.environ["MEEPLE"]
TOKEN = "a secret of agents"


def text_of(result) -> str:
    return "\n".join(block.text for block in result.content)


async def play(session: ClientSession, game: str) -> dict:
    """Plays the first legal action until the game is over."""
    opened = await session.call_tool("open_table", {"game": game, "opponents": ["random"]})
    assert not opened.is_error, text_of(opened)
    ticket, state = opened.structured_content["ticket"], opened.structured_content["state"]
    if state["status"] == "waiting":
        state = (await session.call_tool("wait", {"ticket": ticket})).structured_content
    while state["status"] == "your_turn":
        action = state["legal_actions"][0]
        answer = await session.call_tool("play", {"ticket": ticket, "action": action})
        assert not answer.is_error, text_of(answer)
        state = answer.structured_content
    return state


class Mcp(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = str(Path(folder.name) / "tables")

    @asynccontextmanager
    async def stdio(self):
        server = StdioServerParameters(command=MEEPLE, args=["mcp", "--store", self.store])
        async with stdio_client(server) as (reader, writer):
            async with ClientSession(reader, writer) as session:
                await session.initialize()
                yield session

    def test_stdio(self) -> None:
        async def run() -> None:
            async with self.stdio() as session:
                tools = {tool.name for tool in (await session.list_tools()).tools}
                self.assertLessEqual({"list_games", "rules", "open_table", "play", "resign"}, tools)
                for game in ["tic-tac-toe", "leduc", "breakthrough"]:
                    state = await play(session, game)
                    self.assertEqual(state["status"], "over")
                    self.assertEqual(sum(state["payoffs"]), 0)
                wrong = await session.call_tool("open_table", {"game": "leduc", "seed": 1})
                self.assertTrue(wrong.is_error, "nobody chooses the seed")

        asyncio.run(run())

    def test_the_typescript_client(self) -> None:
        """The official TypeScript SDK plays a game to its end."""
        environment = {**os.environ, "MEEPLE_STORE": self.store}
        script = Path(__file__).with_name("mcp_client.mjs")
        done = subprocess.run(["node", script], env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "over\n")

    def test_a_broken_client(self) -> None:
        """Lines that are no messages end in an error or are passed over; the server ends cleanly."""
        hello = (
            b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
            b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
            b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        )
        bad = b"no json\n" + b'{"jsonrpc":"2.0","id":2,"method":"no/such"}\n' + b"x" * 400_000 + b"\n"
        last = b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nothing","arguments":{}}}\n'
        done = subprocess.run(
            [MEEPLE, "mcp", "--store", self.store], input=hello + bad + last, capture_output=True, timeout=60
        )
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn(b'"id":3', done.stdout)
        self.assertNotIn(b"panicked", done.stderr)

    def test_http(self) -> None:
        server = subprocess.Popen(
            [MEEPLE, "mcp", "--http", "127.0.0.1:0", "--token", TOKEN, "--store", self.store],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        url = server.stdout.readline().strip()
        self.assertEqual(httpx2.post(url, json={}).status_code, 401)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        self.assertEqual(httpx2.post(url, headers=headers, content=b"x" * 300_000).status_code, 413)

        async def run() -> None:
            async def one(game: str) -> None:
                async with create_mcp_http_client(headers=headers) as http:
                    async with streamable_http_client(url, http_client=http) as (reader, writer, *_):
                        async with ClientSession(reader, writer) as session:
                            await session.initialize()
                            self.assertEqual((await play(session, game))["status"], "over")

            await asyncio.gather(*(one(game) for game in ["tic-tac-toe", "kuhn", "connect-four"]))

        asyncio.run(run())


if __name__ == "__main__":
    unittest.main()
