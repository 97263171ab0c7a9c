// Lets the games of the report be stepped through.
for (const game of document.querySelectorAll(".game")) {
  const frames = JSON.parse(game.querySelector("script").textContent);
  const [board, analysis] = game.querySelectorAll("pre");
  const slider = game.querySelector("input");
  const next = game.querySelector(".next");
  const count = game.querySelector("output");
  const last = frames.length - 1;
  slider.max = last;
  const show = (at) => {
    const step = Math.min(Math.max(at, 0), last);
    const frame = frames[step];
    slider.value = step;
    board.textContent = frame.text;
    next.textContent = frame.next;
    analysis.textContent = frame.analysis ?? "";
    count.textContent = `${step} of ${last}`;
  };
  const moves = {
    first: () => 0,
    back: (at) => at - 1,
    next: (at) => at + 1,
    last: () => last,
  };
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  const go = (move) => show(moves[move](Number(slider.value)));
  for (const button of game.querySelectorAll("button")) {
    button.addEventListener("click", () => go(button.dataset.step));
  }
  slider.addEventListener("input", () => show(Number(slider.value)));
  game.addEventListener("keydown", (event) => {
    if (event.target !== slider && keys[event.key]) {
      event.preventDefault();
      go(keys[event.key]);
    }
  });
  show(0);
}
