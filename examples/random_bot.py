"""A bot in Python that plays every game: any legal action, each as likely.

    meeple simulate connect-four --bots "program:command=python3 examples/random_bot.py,random"

docs/src/reference/protocol.md describes what is asked and answered. Copy this file, look at
the observation or at the text, and choose better.
"""

import json
import random
import sys


def decide(question: dict) -> dict:
    """Answers one question with the number of an action."""
    return {"action": random.choice(question["legal"])["action"]}


def main() -> None:
    random.seed(1)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "ready"}), flush=True)
        elif message["type"] == "decide":
            print(json.dumps(decide(message)), flush=True)


if __name__ == "__main__":
    main()
